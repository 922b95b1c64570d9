// Runs lessons in Pyodide. The messages are described in course/playground/__init__.py.
import { loadPyodide } from "./pyodide.mjs";

const AGENTS = "/lib/app/course/_agents/";
const LIBS = [
  ["jiter.so.wasm", "/lib/app/jiter/jiter.so", "jiter.jiter"],
  ["_pydantic_core.so.wasm", "/lib/app/pydantic_core/_pydantic_core.so", "pydantic_core._pydantic_core"],
];
const FILES = ["app.zip", "course.zip", ...LIBS.map(([file]) => file)];

// Whatever is fetched, by Pyodide too, is counted as it comes.
const plainFetch = self.fetch.bind(self);
let loaded = 0;
self.fetch = async (...request) => {
  const reply = await plainFetch(...request);
  if (!reply.ok) throw Error(`${reply.url}: ${reply.status}`);
  const total = await sizes;
  const counted = new TransformStream({
    transform(piece, out) {
      loaded += piece.length;
      postMessage({ loaded, total });
      out.enqueue(piece);
    },
  });
  return new Response(reply.body.pipeThrough(counted), { status: reply.status, headers: reply.headers });
};
const sizes = plainFetch("sizes.json")
  .then(reply => reply.json())
  .then(known => Object.values(known).reduce((sum, size) => sum + size, 0));
const load = async name => [name, new Uint8Array(await (await fetch(name)).arrayBuffer())];

const start = async () => {
  const loading = Promise.all(FILES.map(load));
  postMessage({ step: "python" });
  const py = await loadPyodide({
    indexURL: new URL("./", import.meta.url).href,
    lockFileContents: JSON.stringify({
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.0", version: "314.0.7" },
      packages: {},
    }),
  });
  const data = Object.fromEntries(await loading);
  postMessage({ step: "sdk" });
  py.unpackArchive(data["course.zip"], "zip", { extractDir: "/lib/app" });
  py.FS.writeFile("/lib/app.zip", data["app.zip"]);
  for (const [file, path] of LIBS) {
    py.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    py.FS.writeFile(path, data[file]);
  }
  py.globals.set("libs", py.toPy(LIBS));
  py.runPython(`
import sys, importlib.util as u, importlib.machinery as m
class Libs:
    known = {name: path for _, path, name in libs}
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in cls.known:
            return u.spec_from_file_location(name, cls.known[name], loader=m.ExtensionFileLoader(name, cls.known[name]))
sys.meta_path.insert(0, Libs)
sys.path[:0] = ["/lib/app", "/lib/app.zip"]
import anthropic
from course.playground import runtime
runtime.install()`);
  return py;
};
const ready = start();
ready.catch(error => postMessage({ failed: String(error) }));

// What a stream prints, as text, also where a character is cut in two.
const sender = name => {
  const decoder = new TextDecoder();
  return { write: bytes => (postMessage({ [name]: decoder.decode(bytes, { stream: true }) }), bytes.length) };
};

onmessage = async ({ data: { path, source, args } }) => {
  const py = await ready;
  py.setStdout(sender("out"));
  py.setStderr(sender("err"));
  py.FS.writeFile(AGENTS + path, source);
  py.globals.set("job", py.toPy([AGENTS + path, args]));
  postMessage({ done: py.runPython("runtime.run(*job)") });
};
