// Read pictures in WebAssembly, with stand-ins for the packages that are neither on npm nor on PyPI.
// Arguments: the folder that `just wasm` fills, the sources, and JSON: a list of {path, drawn}. Prints one line of JSON each.
//
// Two interpreters: CPython 3.12 with NumPy and Pillow, and CPython 3.14 with PySAT. OpenCV is opencv.js; arrays are copied.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, sources, pyodide, list] = process.argv.slice(2);
const here = import.meta.dirname;
const require = createRequire(import.meta.url);
const inFolder = (...names) => resolve(folder, ...names);

// The module has a method `then`: as the result of an asynchronous function it would be waited for without end.
async function openCv() {
  const cv = require(inFolder("package/dist/opencv.js"));
  if (!cv.Mat) await new Promise((ready) => Object.assign(cv, { onRuntimeInitialized: ready }));
  return { cv };
}

// Python with PySAT: `sat` takes and returns JSON.
async function solver() {
  const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
  const { info } = JSON.parse(readFileSync(resolve(sources, "flowvision/web/pyodide.json")));
  const python = await loadPyodide({ lockFileContents: { info, packages: {} }, packageBaseUrl: `${pyodide}/` });
  for (const name of readdirSync(pyodide).filter((name) => name.startsWith("python_sat")))
    python.unpackArchive(new Uint8Array(readFileSync(resolve(pyodide, name))), "wheel");
  python.runPython(readFileSync(resolve(here, "sat.py"), "utf8"));
  return python.globals.get("sat");
}

// What `cv2.py` calls: `run` a function of opencv.js by name, `take` a matrix that it made.
function bridge(cv, python, sat) {
  const made = new Map();
  let last = 0;
  const heap = () => python._module.HEAPU8;
  const given = ([pointer, rows, cols, type, bytes]) => {
    const matrix = rows * cols ? new cv.Mat(rows, cols, type) : new cv.Mat();
    if (bytes && rows * cols) matrix.data.set(heap().subarray(pointer, pointer + bytes));
    return matrix;
  };
  const described = (matrix) => {
    if (matrix instanceof cv.MatVector) return { vec: Array.from({ length: matrix.size() }, (_, n) => described(matrix.get(n))) };
    made.set(++last, matrix);
    return [last, matrix.rows, matrix.cols, matrix.type()];
  };
  const vector = (items) => {
    const matrices = new cv.MatVector();
    for (const { m } of items) {
      const matrix = given(m);
      matrices.push_back(matrix);
      matrix.delete();
    }
    return matrices;
  };
  const run = (text) => {
    const [name, spec] = JSON.parse(text);
    const [used, results] = [[], []];
    const keep = (item, list) => list.push(item) && item;
    const valueOf = (item) => {
      if (item === null || typeof item !== "object") return item;
      if (item.m) return keep(given(item.m), item.io ? results : used);
      if (item.o) return keep(new cv.Mat(), results);
      if (item.vo) return keep(new cv.MatVector(), results);
      if (item.v) return keep(vector(item.v), used);
      if (item.size) return new cv.Size(...item.size);
      if (item.point) return new cv.Point(...item.point);
      if (item.scalar) return new cv.Scalar(...item.scalar);
      return item.rect ? new cv.Rect(0, 0, 0, 0) : item;
    };
    try {
      const value = cv[name](...spec.map(valueOf));
      const result = value instanceof cv.Mat ? described(value) : (value ?? null);
      return JSON.stringify({ outs: results.map(described), value: result });
    } catch (error) {
      return JSON.stringify({ error: typeof error === "number" ? cv.exceptionFromPtr(error).msg : String(error) });
    } finally {
      for (const item of used) item.delete();
    }
  };
  const take = (number, pointer, bytes) => {
    const matrix = made.get(number);
    made.delete(number);
    if (bytes) heap().set(matrix.data.subarray(0, bytes), pointer);
    matrix.delete();
  };
  const isConstant = (name) => /^[A-Z]\w*$/.test(name) && typeof cv[name] === "number";
  const constants = () => JSON.stringify(Object.fromEntries(Object.keys(cv).filter(isConstant).map((name) => [name, cv[name]])));
  return { run, take, constants, sat };
}

const home = inFolder("python312") + "/";
const [{ cv }, sat] = [await openCv(), await solver()];
const { loadPyodide } = require(`${home}pyodide.js`);
const python = await loadPyodide({ indexURL: home, stdout: (words) => console.error(words) });
await python.loadPackage(["numpy", "pillow", "scikit-learn"], { messageCallback() {} });
python.registerJsModule("cvbridge", bridge(cv, python, sat));
for (const [name, place] of Object.entries({ "/stand-ins": here, "/src": sources })) {
  python.FS.mkdirTree(name);
  python.mountNodeFS(name, place);
}
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/stand-ins', '/src']");
python.runPython(readFileSync(resolve(here, "read.py"), "utf8"));
const read = python.globals.get("read");
for (const { path, drawn } of JSON.parse(readFileSync(list))) {
  python.FS.writeFile("/shot", readFileSync(path));
  const start = performance.now();
  const result = JSON.parse(read("/shot", drawn ? "/drawn.png" : ""));
  if (drawn && result.grid) writeFileSync(drawn, python.FS.readFile("/drawn.png"));
  console.log(JSON.stringify({ path, ...result, seconds: (performance.now() - start) / 1000 }));
}
console.error(`${Math.round(process.memoryUsage().rss / 1e6)} MB`);
process.exit(0);
