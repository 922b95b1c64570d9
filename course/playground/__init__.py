"""Running a lesson in the reader's browser: `python -m course.playground` puts what that takes under docs/assets.

The page (docs/assets/js/playground.js) and its worker (worker.js) exchange these messages and no others:

- to the worker: `{path, source, args}`: run this script (a file name in agents/) with these arguments.
- from it: `{loaded, total}` bytes so far; `{step}` what it does next ("python", "sdk"); `{out}` and `{err}`, pieces of
  text as they are printed; `{done}`, the exit status of the run; `{failed}`, why the worker cannot run anything.

The page stops a run, an endless loop too, by ending the worker.
"""
