"""OpenCV for tests, over opencv.js: arrays are copied between the two heaps; small functions are NumPy.

It has the functions that this project calls, in the signatures that it uses. It is never shipped.
"""

import json
from ast import literal_eval
from pathlib import Path

import cvbridge
import numpy as np

USUAL = {"IMREAD_COLOR": 1, "IMREAD_GRAYSCALE": 0, "IMWRITE_JPEG_QUALITY": 1, "IMWRITE_WEBP_QUALITY": 64}
"""Constants that opencv.js lacks."""
globals().update(json.loads(cvbridge.constants()), **USUAL)
__version__ = "4.12.0"
DEPTHS = {"uint8": 0, "int8": 1, "uint16": 2, "int16": 3, "int32": 4, "float32": 5, "float64": 6}
TYPES = {depth: np.dtype(name) for name, depth in DEPTHS.items()}
EMPTY = np.zeros((0, 0), np.int32)
LARGEST = 1.7976931348623157e308
"""The border of a dilation that no pixel reaches."""


class error(Exception):
    """What opencv.js throws."""


def _matrix(array, keep):
    """Describe an array: its place in the heap, shape, type and bytes; ``keep`` holds it alive."""
    array = np.asarray(array)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype == np.int64:
        array = array.astype(np.int32)
    array = np.ascontiguousarray(array)
    keep.append(array)
    rows, cols, channels = (*array.shape, 1)[:3] if array.ndim > 1 else (array.size, 1, 1)
    kind = DEPTHS[array.dtype.name] + ((channels - 1) << 3)
    return [array.__array_interface__["data"][0], rows, cols, kind, array.nbytes]


def _taken(result):
    """Return the array of a matrix, or the list of a vector of matrices."""
    if isinstance(result, dict):
        return [_taken(item) for item in result["vec"]]
    number, rows, cols, kind = result
    channels = (kind >> 3) + 1
    array = np.empty((rows, cols, channels) if channels > 1 else (rows, cols), TYPES[kind & 7])
    cvbridge.take(number, array.__array_interface__["data"][0], array.nbytes)
    return array


def _points(points):
    points = np.asarray(points)
    if points.dtype not in (np.int32, np.float32):
        points = points.astype(np.float32 if points.dtype.kind == "f" else np.int32)
    return points.reshape(-1, 1, 2)


def _scalar(value):
    return [*map(float, value if np.iterable(value) else (value,)), 0.0, 0.0, 0.0, 0.0][:4]


def _plain(value, keep):
    if isinstance(value, np.ndarray):
        return {"m": _matrix(value, keep)}
    return value.item() if isinstance(value, np.generic) else value


KINDS = {
    "size": lambda value, _: {"size": [float(part) for part in value or (0, 0)]},
    "point": lambda value, _: {"point": [float(part) for part in value]},
    "scalar": lambda value, _: {"scalar": _scalar(value)},
    "border": lambda value, _: {"scalar": [LARGEST] * 4 if value is None else _scalar(value)},
    "array": lambda value, keep: {"m": _matrix(EMPTY if value is None else value, keep)},
    "kernel": lambda value, keep: {"m": _matrix(np.ones((3, 3), np.uint8) if value is None else value, keep)},
    "points": lambda value, keep: {"m": _matrix(_points(value), keep)},
    "lines": lambda value, keep: {"v": [{"m": _matrix(_points(item), keep)} for item in value]},
    "inout": lambda value, keep: {"m": _matrix(value, keep), "io": 1},
    "rect": lambda *_: {"rect": 1},
    "": _plain,
}
"""How an argument is handed to opencv.js."""


def _like(result, dst):
    """Return a result, in the array that was given for it."""
    if dst is None or (dst.shape, dst.dtype) != (result.shape, result.dtype):
        return result
    dst[...] = result
    return dst


def _call(name, spec):
    """Call a function of opencv.js; return its outputs and its value.

    ``spec``: kind and value of each argument.
    """
    keep, described, changed = [], [], []
    for kind, value in spec:
        if kind in (">", ">>"):
            described.append({"o": 1} if kind == ">" else {"vo": 1})
            continue
        is_changed = kind == "inout" and value is not None
        described.append(KINDS["array" if kind == "inout" and not is_changed else kind](value, keep))
        if is_changed:
            changed.append(value)
    answer = json.loads(cvbridge.run(json.dumps([name, described])))
    if "error" in answer:
        raise error(f"{name}: {answer['error']}")
    outs, value = [_taken(out) for out in answer["outs"]], answer["value"]
    for array in changed:
        array[...] = outs.pop(0).reshape(array.shape)
    return outs, _taken(value) if isinstance(value, list) else value


def _function(name, signature, order):
    """Return a function: its parameters with defaults, and the order in which opencv.js takes them.

    ``order``: ``name`` or ``name:kind``, ``>`` for an output, ``>>`` for a vector of outputs. The result is
    the output, the value, or the value and the outputs.
    """
    parameters = [part.partition("=")[::2] for part in signature.split()]
    defaults = {parameter: literal_eval(value) for parameter, value in parameters if value}

    def call(*args, **given):
        if unknown := set(given) - {"dst", *(parameter for parameter, _ in parameters)}:
            raise TypeError(f"{name}: {unknown}")
        values = {
            "dst": None,
            **defaults,
            **dict(zip((p for p, _ in parameters), args, strict=False)),
            **given,
        }
        spec = [
            (part, None) if part[0] == ">" else (part.partition(":")[2], values.get(part.partition(":")[0]))
            for part in order.split()
        ]
        outs, value = _call(name, spec)
        if not outs:
            return value
        outs[0] = outs[0] if isinstance(outs[0], list) else _like(outs[0], values["dst"])
        return (value, *outs) if value is not None else outs[0] if len(outs) == 1 else tuple(outs)

    call.__name__ = name
    return call


def _drawing(call):
    def draw(img, *args, **given):
        call(img, *args, **given)
        return img

    return draw


DIRECT = {
    name: _function(name, signature, order)
    for line in Path(__file__).with_name("functions.txt").read_text().splitlines()[1:]
    for name, signature, order in [[part.strip() for part in line.split("|")]]
}
"""Functions of opencv.js by name."""
DRAWING = ("fillPoly", "fillConvexPoly", "polylines", "line", "circle", "drawContours")
"""Functions that draw into their first argument, and return it."""
globals().update(DIRECT, **{name: _drawing(DIRECT[name]) for name in DRAWING})


def Canny(a, b, *rest, **given):
    return (DIRECT["Canny1"] if isinstance(b, np.ndarray) else DIRECT["Canny"])(a, b, *rest, **given)


def findContours(*args, **given):
    contours, hierarchy = DIRECT["findContours"](*args, **given)
    places = [contour.reshape(-1, 1, 2) for contour in contours]
    return places, (hierarchy.reshape(1, -1, 4) if hierarchy.size else None)


def approxPolyDP(points, epsilon, closed):
    return DIRECT["approxPolyDP"](points, epsilon, closed).reshape(-1, 1, 2)


def convexHull(points, **given):
    return DIRECT["convexHull"](points, **given).reshape(-1, 1, 2)


def HoughLines(*args, **given):
    found = DIRECT["HoughLines"](*args, **given)
    return found.reshape(-1, 1, 2) if found.size else None


def HoughCircles(*args, **given):
    found = DIRECT["HoughCircles"](*args, **given)
    return found.reshape(1, -1, 3) if found.size else None


def floodFill(img, mask, *args, **given):
    return DIRECT["floodFill"](img, mask, *args, **given), img, mask, None


# Functions that NumPy does as fast, or that opencv.js lacks


def _sat(a, dtype):
    """Convert with rounding and saturation, as OpenCV does."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return a.astype(dtype)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(a), limits.min, limits.max).astype(dtype)


def _second(a, b):
    if isinstance(b, np.ndarray):
        return b
    b = np.atleast_1d(np.asarray(b, np.float64))
    if a.ndim == 3:
        return b[: a.shape[2]] if len(b) >= a.shape[2] else np.resize(b, a.shape[2])
    return b[0]


def absdiff(a, b, dst=None):
    return _like(
        _sat(np.abs(a.astype(np.float64 if a.dtype.kind == "f" else np.int64) - _second(a, b)), a.dtype), dst
    )


def add(a, b, dst=None, mask=None, dtype=-1):
    return _like(_sat(a.astype(np.float64) + _second(a, b), a.dtype), dst)


def subtract(a, b, dst=None, mask=None, dtype=-1):
    return _like(_sat(a.astype(np.float64) - _second(a, b), a.dtype), dst)


def multiply(a, b, dst=None, scale=1, dtype=-1):
    return _like(_sat(a.astype(np.float64) * _second(a, b) * scale, a.dtype), dst)


def divide(a, b, dst=None, scale=1, dtype=-1):
    below = np.broadcast_to(np.asarray(_second(a, b), np.float64), a.shape)
    quotient = np.divide(a.astype(np.float64) * scale, below, out=np.zeros(a.shape), where=below != 0)
    return _like(_sat(quotient, a.dtype), dst)


def addWeighted(a, alpha, b, beta, gamma, dst=None, dtype=-1):
    return _like(_sat(a.astype(np.float64) * alpha + b.astype(np.float64) * beta + gamma, a.dtype), dst)


def convertScaleAbs(a, dst=None, alpha=1, beta=0):
    return _like(_sat(np.abs(a.astype(np.float64) * alpha + beta), np.uint8), dst)


def max(a, b, dst=None):
    return _like(np.maximum(a, b), dst)


def _masked(out, dst, mask):
    if mask is None:
        return _like(out, dst)
    if dst is None:
        dst = np.zeros_like(out)
    np.copyto(dst, out, where=(mask != 0) if out.ndim == 2 else (mask != 0)[..., None])
    return dst


def bitwise_and(a, b, dst=None, mask=None):
    return _masked(a & b, dst, mask)


def bitwise_or(a, b, dst=None, mask=None):
    return _masked(a | b, dst, mask)


def bitwise_xor(a, b, dst=None, mask=None):
    return _masked(a ^ b, dst, mask)


def bitwise_not(a, dst=None, mask=None):
    return _masked(~a, dst, mask)


def copyTo(a, mask, dst=None):
    return _masked(a.copy() if mask is None else a, dst, mask)


def countNonZero(a):
    return int(np.count_nonzero(a))


def split(a):
    return tuple(np.ascontiguousarray(a[..., i]) for i in range(a.shape[2])) if a.ndim == 3 else (a.copy(),)


def merge(planes):
    return np.ascontiguousarray(np.stack(planes, -1))


def extractChannel(a, n, dst=None):
    return _like(np.ascontiguousarray(a[..., n]) if a.ndim == 3 else a.copy(), dst)


def transpose(a, dst=None):
    return np.ascontiguousarray(np.swapaxes(a, 0, 1))


def mean(a, mask=None):
    a = a.reshape(*a.shape[:2], -1)
    v = a.reshape(-1, a.shape[2]) if mask is None else a[mask != 0]
    m = v.mean(0, dtype=np.float64) if len(v) else np.zeros(a.shape[2])
    return tuple([*map(float, m), 0.0, 0.0, 0.0][:4])


def minMaxLoc(a, mask=None):
    lo, hi = np.unravel_index(int(a.argmin()), a.shape), np.unravel_index(int(a.argmax()), a.shape)
    return float(a[lo]), float(a[hi]), (int(lo[1]), int(lo[0])), (int(hi[1]), int(hi[0]))


def reduce(a, dim, rtype, dst=None, dtype=-1):
    out = a.sum(dim, dtype=np.float64, keepdims=True)
    assert rtype == 0
    return out.astype(TYPES[dtype & 7] if dtype >= 0 else a.dtype)


def boundingRect(p):
    p = np.asarray(p)
    if (p.ndim == 2 and p.shape[1] != 2) or p.dtype == np.uint8:
        y, x = np.nonzero(p)
        return (
            (0, 0, 0, 0)
            if not len(x)
            else (int(x.min()), int(y.min()), int(np.ptp(x)) + 1, int(np.ptp(y)) + 1)
        )
    p = p.reshape(-1, 2)
    lo, hi = np.floor(p.min(0)).astype(int), np.floor(p.max(0)).astype(int)
    return int(lo[0]), int(lo[1]), int(hi[0] - lo[0]) + 1, int(hi[1] - lo[1]) + 1


def threshold(a, t, maxval, kind, dst=None):
    if a.dtype.kind != "f":
        t = np.floor(t)
    out = {
        0: lambda: np.where(a > t, np.array(maxval, a.dtype), np.array(0, a.dtype)),
        2: lambda: np.minimum(a, np.array(t, a.dtype)),
    }[kind]()
    return t, _like(out, dst)


def LUT(a, table, dst=None):
    return np.asarray(table).reshape(-1)[a]


def inRange(a, lo, hi, dst=None):
    ok = (a >= _second(a, lo)) & (a <= _second(a, hi))
    return (ok.all(-1) if ok.ndim == 3 else ok).astype(np.uint8) * 255


def perspectiveTransform(p, m):
    q = np.asarray(p, np.float64).reshape(-1, 2)
    h = np.c_[q, np.ones(len(q))] @ np.asarray(m).T
    return (h[:, :2] / h[:, 2:]).reshape(np.shape(p)).astype(np.asarray(p).dtype)


def transform(p, m):
    m = np.asarray(m)
    q = np.asarray(p, np.float64)
    out = q @ m[:, : q.shape[-1]].T + (m[:, q.shape[-1]] if m.shape[1] > q.shape[-1] else 0)
    return _sat(out, np.asarray(p).dtype)


def setNumThreads(n):
    pass


class _Ipp:
    def __getattr__(self, n):
        return lambda *a: None


ipp = _Ipp()


def imdecode(data, flags):
    from io import BytesIO

    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(bytes(data))) as picture:
            upright = ImageOps.exif_transpose(picture)
            if flags == USUAL["IMREAD_GRAYSCALE"]:
                return np.array(upright.convert("L"))
            return np.ascontiguousarray(np.asarray(upright.convert("RGB"))[..., ::-1])
    except (UnidentifiedImageError, OSError):
        return None


def mulSpectrums(a, b, flags, c=None, conjB=False):
    def unpack(x):
        r, n = x.shape
        h = n // 2 + 1
        z = np.zeros((r, h), np.complex128)
        z[:, 1 : (n + 1) // 2] = x[:, 1 : n - (n % 2 == 0) : 2] + 1j * x[:, 2:n:2] if n > 2 else 0
        for col, src in ((0, x[:, 0]), *(((h - 1, x[:, n - 1]),) if n % 2 == 0 else ())):
            v = np.zeros(r, np.complex128)
            v[0] = src[0]
            half = (r + 1) // 2
            v[1:half] = src[1 : r - (r % 2 == 0) : 2] + 1j * src[2:r:2]
            if r % 2 == 0:
                v[r // 2] = src[r - 1]
            v[r // 2 + 1 :] = np.conj(v[1:half][::-1])
            z[:, col] = v
        return z

    def pack(z, shape):
        r, n = shape
        x = np.empty(shape)
        h = n // 2 + 1
        x[:, 1 : n - (n % 2 == 0) : 2] = z[:, 1 : (n + 1) // 2].real
        x[:, 2:n:2] = z[:, 1 : (n + 1) // 2].imag
        for col, dst in ((0, 0), *(((h - 1, n - 1),) if n % 2 == 0 else ())):
            half = (r + 1) // 2
            x[0, dst] = z[0, col].real
            x[1 : r - (r % 2 == 0) : 2, dst] = z[1:half, col].real
            x[2:r:2, dst] = z[1:half, col].imag
            if r % 2 == 0:
                x[r - 1, dst] = z[r // 2, col].real
        return x

    zb = unpack(b)
    return _like(pack(unpack(a) * (np.conj(zb) if conjB else zb), a.shape).astype(a.dtype), c)


# ---- opencv.js
