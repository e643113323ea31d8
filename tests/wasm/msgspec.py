"""Stand-in for msgspec where its wheel is missing: plain classes, no validation."""

import copy
import json as _json
import sys
import types


class _Missing:
    pass


class _Slot:  # a field hides a property of a base class
    def __init__(self, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__[self.name]

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value


class field:
    def __init__(self, *, default=_Missing, default_factory=_Missing, name=None):
        self.default, self.default_factory = default, default_factory


class Struct:
    __struct_fields__ = ()
    __struct_defaults_map__ = {}
    _frozen = False
    _eq = True

    def __init_subclass__(
        cls, frozen=None, eq=None, kw_only=False, order=False, gc=True, weakref=False, dict=False, **k
    ):
        super().__init_subclass__()
        names, defaults = list(cls.__struct_fields__), {**cls.__struct_defaults_map__}
        for name, kind in cls.__dict__.get("__annotations__", {}).items():
            if "ClassVar" in str(kind):
                continue
            if name not in names:
                names.append(name)
            if name in cls.__dict__:
                defaults[name] = cls.__dict__[name]
        cls.__struct_fields__, cls.__struct_defaults_map__ = tuple(names), defaults
        for name in names:
            if name in cls.__dict__:
                delattr(cls, name)
        for name in cls.__dict__.get("__annotations__", {}):
            if name in names and any(isinstance(b.__dict__.get(name), property) for b in cls.__mro__[1:]):
                setattr(cls, name, _Slot(name))
        if frozen is not None:
            cls._frozen = frozen
        if eq is not None:
            cls._eq = eq
        if not cls._eq:
            cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__
        else:
            cls.__eq__ = lambda a, b: (
                a.__class__ is b.__class__ and all(getattr(a, n) == getattr(b, n) for n in names)
                if a.__class__ is b.__class__
                else NotImplemented
            )
            cls.__hash__ = (lambda a: hash(tuple(getattr(a, n) for n in names))) if cls._frozen else None

    def __init__(self, *a, **k):
        cls = type(self)
        put = object.__setattr__
        names = cls.__struct_fields__
        if len(a) > len(names):
            raise TypeError(f"{cls.__name__}: too many arguments")
        for n, v in zip(names, a, strict=False):
            put(self, n, v)
        for n in names[len(a) :]:
            if n in k:
                put(self, n, k.pop(n))
                continue
            if n not in cls.__struct_defaults_map__:
                raise TypeError(f"{cls.__name__}: missing {n}")
            d = cls.__struct_defaults_map__[n]
            if isinstance(d, field):
                d = d.default_factory() if d.default_factory is not _Missing else d.default
            elif type(d) in (list, dict, set):
                d = copy.copy(d)
            put(self, n, d)
        if k:
            raise TypeError(f"{cls.__name__}: unexpected {list(k)}")
        post = getattr(self, "__post_init__", None)
        if post:
            post()

    def __setattr__(self, n, v):
        if self._frozen:
            raise AttributeError(f"immutable type: {type(self).__name__!r}")
        object.__setattr__(self, n, v)

    def __repr__(self):
        return (
            f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self.__struct_fields__)})"
        )


class Meta:
    def __init__(self, **k):
        self.__dict__.update(k)

    def __hash__(self):
        return id(self)


class Raw(bytes):
    pass


class MsgspecError(Exception):
    pass


class ValidationError(MsgspecError):
    pass


class DecodeError(MsgspecError):
    pass


structs = types.ModuleType("msgspec.structs")


def replace(s, **changes):
    return type(s)(
        **{n: changes[n] if n in changes else getattr(s, n) for n in s.__struct_fields__}
        | {n: v for n, v in changes.items() if n not in s.__struct_fields__}
    )


structs.replace = replace
structs.force_setattr = object.__setattr__
structs.asdict = lambda s: {n: getattr(s, n) for n in s.__struct_fields__}
structs.astuple = lambda s: tuple(getattr(s, n) for n in s.__struct_fields__)
sys.modules["msgspec.structs"] = structs
json = types.ModuleType("msgspec.json")
json.encode = lambda o, **k: _json.dumps(o).encode()
json.decode = lambda o, **k: _json.loads(o)
json.format = lambda o, indent=2: o
sys.modules["msgspec.json"] = json


def to_builtins(o, **k):
    return {n: to_builtins(getattr(o, n)) for n in o.__struct_fields__} if isinstance(o, Struct) else o


def convert(o, type, **k):
    return o


UNSET = _Missing
UnsetType = _Missing
