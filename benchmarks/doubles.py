"""What the stand-in refuses and published doubles of this API let pass: the same wrong requests, sent to each.

    python benchmarks/doubles.py [--cache FOLDER] [--write]

The doubles are installed by pip and npm as in mocks.py, and each is given one fixture that answers everything. First
comes a right request, which each must answer; then the same with one mistake after another. A mistake passes if it is
answered with 200. --write makes the table of the page "In your own tests" anew.
"""

import argparse
import copy
import json
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request
from importlib.metadata import distributions
from pathlib import Path

from load import free_port, wait_for
from mocks import ROOT, SERVERS, TEXT, environment

TABLE = ROOT / "docs" / "assets"
WORD = "Hello"  # what the fixtures of mocks.py look for
# For each double the fixture that answers everything, in the file that mocks.py names on the command line.
FIXTURES = {
    "aimock": ("aimock.json", "fixtures", {"match": {}, "response": {"content": TEXT}}),
    "mocktopus": ("mocktopus.yaml", "rules", {"type": "llm", "when": {}, "respond": {"content": TEXT}}),
    "stubllm": (
        "stubllm.yaml",
        "fixtures",
        {"name": "all", "match": {"provider": "any"}, "response": {"content": TEXT}},
    ),
    "fakellm": ("fakellm.yaml", "rules", {"name": "all", "when": {}, "respond": {"content": TEXT}}),
}
TOOL = {
    "name": "get_weather",
    "description": f"Weather. {WORD}",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CALLS = [
    {"type": "tool_use", "id": f"toolu_0{number}", "name": "get_weather", "input": {"city": city}}
    for number, city in enumerate(("Oslo", "Berlin"), start=1)
]
RESULTS = [{"type": "tool_result", "tool_use_id": call["id"], "content": f"{WORD}, 41F"} for call in CALLS]
ASKED = {"role": "user", "content": f"{WORD}, Oslo or Berlin?"}
RIGHT = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 1000,
    "tools": [TOOL],
    "messages": [ASKED, {"role": "assistant", "content": CALLS}, {"role": "user", "content": RESULTS}],
}


def wrong(change):
    """RIGHT with one mistake."""
    body = copy.deepcopy(RIGHT)
    change(body)
    return body


def messages(*given):
    return lambda body: body.update(messages=list(given))


CALLED, ANSWERED = RIGHT["messages"][1:]
MISTAKES = {  # their names in three languages: doubles.toml
    "one_answered": messages(ASKED, CALLED, {"role": "user", "content": RESULTS[:1]}),
    "other_id": messages(
        ASKED, CALLED, {"role": "user", "content": [RESULTS[0], RESULTS[1] | {"tool_use_id": "toolu_09"}]}
    ),
    "no_reply": messages(ASKED, {"role": "user", "content": RESULTS}),
    "text_first": messages(ASKED, CALLED, {"role": "user", "content": [{"type": "text", "text": "Here:"}, *RESULTS]}),
    "object": messages(ASKED, CALLED, {"role": "user", "content": [RESULTS[0], RESULTS[1] | {"content": {"f": 41}}]}),
    "empty_text": messages({"role": "user", "content": [{"type": "text", "text": ""}, {"type": "text", "text": WORD}]}),
    "no_messages": messages(),
    "prefill": messages(ASKED, {"role": "assistant", "content": "In"}),
    "no_max_tokens": lambda body: body.pop("max_tokens"),
    "no_such_model": lambda body: body.update(model="claude-nonsense-9"),
    "parameters": lambda body: body["tools"][0].update(parameters=body["tools"][0].pop("input_schema")),
    "two_of_one_name": lambda body: body["tools"].append(TOOL),
    "temperature": lambda body: body.update(temperature=0),
    "no_key": None,
}
NAMES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def status(url: str, body: dict, key: bool = True) -> int:
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01"} | (
        {"x-api-key": "k"} if key else {}
    )
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def ask(url: str) -> list[str]:
    """For each mistake "refused", "passed", or the error that it led to."""
    for right in (RIGHT, wrong(messages(ASKED))):
        if (answered := status(url, right)) != 200:
            raise SystemExit(f"{url} answers a right request with {answered}: see its fixture")
    found = []
    for change in MISTAKES.values():
        answered = status(url, wrong(change) if change else RIGHT, key=change is not None)
        found.append("refused" if 400 <= answered < 500 else "passed" if answered == 200 else f"error {answered}")
    return found


def version(folder: Path, name: str) -> str:
    if name == "aimock":
        package = folder / "npm" / "node_modules" / "@copilotkit" / "aimock" / "package.json"
        return json.loads(package.read_text(encoding="utf-8"))["version"]
    places = [str(path) for path in (folder / name).rglob("site-packages")]
    return next(each.version for each in distributions(path=places) if each.metadata["Name"].lower() == name)


def measure(folder: Path) -> dict[str, list[str]]:
    found = {}
    for name, make in SERVERS.items():
        port = free_port()
        command = make(folder, port)
        if name in FIXTURES:
            file, key, fixture = FIXTURES[name]
            (folder / file).write_text(json.dumps({"version": 1, key: [fixture]}), encoding="utf-8")
        with (folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment())
        try:
            wait_for(port)
            title = name if name == "stand-in" else f"{name} {version(folder, name)}"
            found[title] = ask(f"http://127.0.0.1:{port}/v1/messages")
        finally:
            process.terminate()
            process.wait(timeout=20)
    return found


def table(found: dict[str, list[str]], language: str) -> str:
    """The results in Markdown; the first column is the stand-in's."""
    words = {key: texts[language] for key, texts in NAMES.items()}
    lines = [
        f"| {' | '.join([words['title'], words['stand_in'], *list(found)[1:]])} |",
        "|---" * (1 + len(found)) + "|",
    ]
    for mistake, row in zip(MISTAKES, zip(*found.values(), strict=True), strict=True):
        lines.append(f"| {' | '.join([words[mistake], *(words.get(result, result) for result in row)])} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="where the doubles are, or will be, installed")
    parser.add_argument("--write", action="store_true", help="write docs/assets/doubles.*.txt")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        found = measure(cache)
    print(table(found, "en"))
    for language in ("en", "zh", "de") if args.write else ():
        (TABLE / f"doubles.{language}.txt").write_text(table(found, language), encoding="utf-8")
    sys.exit(any(result != "refused" for result in found["stand-in"]))


if __name__ == "__main__":
    main()
