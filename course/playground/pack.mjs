// node pack.mjs REPOSITORY WHEELS PYODIDE OUT: app.zip (byte-compiled wheels, course, playground.py), the two libraries, Pyodide
import fs from "node:fs"; import path from "node:path"; import { fileURLToPath, pathToFileURL } from "node:url";
const [repo, wheels, from, out] = process.argv.slice(2).map(p => path.resolve(p)), here = path.dirname(fileURLToPath(import.meta.url));
const { loadPyodide } = await import(pathToFileURL(path.join(from, "pyodide.mjs")));
fs.mkdirSync(out, { recursive: true });
for (const f of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) fs.copyFileSync(path.join(from, f), path.join(out, f));
fs.copyFileSync(path.join(here, "worker.js"), path.join(out, "worker.js"));
const py = await loadPyodide();
for (const [at, root] of [["/repo", repo], ["/wheels", wheels], ["/out", out], ["/here", here]]) { py.FS.mkdirTree(at); py.FS.mount(py.FS.filesystems.NODEFS, { root }, at); }
py.runPython(`
import ast, os, py_compile, shutil, zipfile
SRC = "/src"
for wheel in sorted(os.listdir("/wheels")):
    zipfile.ZipFile("/wheels/" + wheel).extractall(SRC)
shutil.copytree("/repo/course", SRC + "/course", ignore=shutil.ignore_patterns("__pycache__", "site", "doctor"))
shutil.copytree("/repo/agents/review", SRC + "/course/_agents/review", ignore=shutil.ignore_patterns("__pycache__", "notes"))
with open(SRC + "/httpx2_jsfetch.py", "w") as f:
    f.write("from course.playground.runtime import Transport as JavascriptFetchTransport, AsyncTransport as AsyncJavascriptFetchTransport\\n")
LAZY = """_names = %r
__all__ = [*_names]
def __getattr__(name):
    if name not in _names: raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    module, attribute = _names[name]
    value = getattr(import_module(module, __name__), attribute) if module.strip(".") else import_module(module + attribute, __name__)
    globals()[name] = value
    return value
"""
def lazy(file):
    """Let a package that only re-exports names import each of them when it is asked for."""
    names = {}
    for node in ast.parse(open(file).read()).body:
        if isinstance(node, ast.ImportFrom) and node.level and node.names[0].name != "*":
            names |= {a.asname or a.name: ("." * node.level + (node.module or ""), a.name) for a in node.names}
        elif not (isinstance(node, ast.ImportFrom) and node.module == "__future__" or isinstance(node, (ast.Assign, ast.Expr))): return
    if names: open(file, "w").write(LAZY % names)
PROXY = """class _Later:
    def __init__(self, module, name): self.found = (module, name)
    def __call__(self, *args, **options):
        from importlib import import_module
        return getattr(import_module(self.found[0], __package__), self.found[1])(*args, **options)
"""
def later(file):
    """Let a resource import the resources below it (client.beta.agents) when they are called for."""
    text = open(file).read(); lines = text.splitlines(); changed = False
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module and all(a.name[0].isupper() and not a.asname for a in node.names):
            lines[node.lineno - 1:node.end_lineno] = [f"{a.name} = _Later('.{node.module}', '{a.name}')" for a in node.names]; changed = True
    at = lines.index("from __future__ import annotations") + 1 if changed else 0
    if changed: open(file, "w").write("\\n".join(lines[:at] + [PROXY] + lines[at:]))
for folder, _, files in os.walk(SRC + "/anthropic/resources"):
    for name in files:
        if name.endswith(".py") and name != "__init__.py": later(os.path.join(folder, name))
for folder, _, files in os.walk(SRC + "/anthropic"):
    if "__init__.py" in files and folder != SRC + "/anthropic": lazy(folder + "/__init__.py")
LIBS = []
with zipfile.ZipFile("/out/app.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as app, zipfile.ZipFile("/out/course.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as course:
    for folder, _, files in os.walk(SRC):
        for name in sorted(files):
            file = os.path.join(folder, name); inside = os.path.relpath(file, SRC)
            z = course if inside.startswith("course/") else app  # course reads files beside it, so it has to be unpacked
            if ".dist-info" in inside and name not in ("METADATA", "entry_points.txt") or name.endswith((".pyi", "py.typed")): continue
            if name.endswith(".so"): shutil.copy(file, "/out/" + name.split(".")[0] + ".so.wasm"); LIBS.append(inside)
            elif name.endswith(".py") and inside != "anyio/__init__.py":  # which reads its own source
                py_compile.compile(file, "/tmp/c", dfile="/lib/app.zip/" + inside, optimize=2, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                z.write("/tmp/c", inside + "c")
            else: z.write(file, inside)
print(LIBS, os.path.getsize("/out/app.zip"))
`);
