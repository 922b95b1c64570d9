"""What must hold of the lesson scripts as texts: small, cumulative, standalone, up to date."""

import ast
import datetime
import re
import sys
import tomllib
from pathlib import Path

import pytest

from course.site.source import parts

ROOT = Path(__file__).parents[2]
LESSONS = tomllib.loads((ROOT / "course/lessons.toml").read_text(encoding="utf-8"))["lesson"]
SOURCES = {lesson["id"]: (ROOT / "agents" / lesson["file"]).read_text(encoding="utf-8") for lesson in LESSONS}
IDS = list(SOURCES)
CUMULATIVE = [
    lesson for lesson in IDS if lesson >= "s08"
]  # those that show in a block of its own what they do not change
NEW_LINES = 90  # of code in each of these
IMPORTS = {lesson["id"]: lesson.get("imports", []) for lesson in LESSONS}
MODULES = {lesson["id"]: lesson["file"].removesuffix(".py") for lesson in LESSONS}
WHOLE = [lesson for lesson in IDS if not set(IMPORTS[lesson]) & set(MODULES.values())]  # that import no other lesson
BLOCK = re.compile(r"^# ---- as in (.+), unchanged\n(.*?)^# ---- new from here\n", re.MULTILINE | re.DOTALL)
WEEKDAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"


def functions(lesson):
    """{name: source} of every function at the top level, its decorators included."""
    lines = SOURCES[lesson].splitlines(keepends=True)
    found = {}
    for node in ast.parse(SOURCES[lesson]).body:
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])
            found[node.name] = "".join(lines[first - 1 : node.end_lineno])
    return found


def constant(lesson, name):
    """The value of a literal assignment at the top level, or its source where it is computed."""
    for node in ast.parse(SOURCES[lesson]).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            try:
                return ast.literal_eval(node.value)
            except ValueError:
                return ast.unparse(node.value)
    return None


def code_lines(source):
    return len(lines_of_code(source))


def lines_of_code(source):
    """The lines that are neither blank nor part of a docstring."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            docstrings.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return [line for n, line in enumerate(source.splitlines(), 1) if line.strip() and n not in docstrings]


def test_every_script_is_a_lesson():
    assert sorted(path.name for path in (ROOT / "agents").glob("*.py")) == [lesson["file"] for lesson in LESSONS]


def ancestors(lesson):
    """The lessons that this one builds on, and those that they build on: not s06 for s07, which goes on from s05."""
    found = set(LESSONS[IDS.index(lesson)]["builds_on"])
    return found.union(*(ancestors(each) for each in found))


@pytest.mark.parametrize("lesson", IDS)
def test_a_function_changes_only_where_the_lesson_is_about_it(lesson):
    before = {}
    for earlier in IDS:
        if earlier in ancestors(lesson):
            before.update(functions(earlier))
    changed = {name for name, source in functions(lesson).items() if name in before and before[name] != source}
    assert changed == set(LESSONS[IDS.index(lesson)]["changes"])


def test_the_loop_of_s01_is_the_loop_of_s03_and_s04():
    assert functions("s01")["agent_loop"] == functions("s03")["agent_loop"] == functions("s04")["agent_loop"]


@pytest.mark.parametrize("lesson", IDS)
def test_a_script_stays_small(lesson):
    assert code_lines(SOURCES[lesson]) <= LESSONS[IDS.index(lesson)]["lines"]


def pieces(source):
    """{name: text} of every function and every constant at the top level."""
    return {
        part.name: "\n".join(source.splitlines()[part.first - 1 : part.last])
        for part in parts(source)
        if part.name.isidentifier() and part.name not in ("docstring", "imports", "client", "__main__")
    }


@pytest.mark.parametrize("lesson", CUMULATIVE)
def test_what_a_lesson_does_not_change_stands_in_one_block(lesson):
    before = {}
    for earlier in IDS:
        if earlier in ancestors(lesson):
            before |= pieces(SOURCES[earlier])
    ((names, block),) = BLOCK.findall(SOURCES[lesson])
    assert names.split(" and ") == LESSONS[IDS.index(lesson)]["builds_on"]
    unchanged = {name for name, text in pieces(SOURCES[lesson]).items() if before.get(name) == text}
    assert set(pieces(block)) == unchanged
    assert not new_lines(block, ancestors(lesson))


@pytest.mark.parametrize("lesson", [lesson for lesson in CUMULATIVE if lesson in WHOLE])
def test_a_lesson_has_few_lines_that_no_lesson_before_it_has(lesson):
    without_marks = re.sub(r"^# ---- .*\n", "", SOURCES[lesson], flags=re.MULTILINE)
    assert len(new_lines(without_marks, ancestors(lesson))) <= NEW_LINES


def new_lines(source, earlier):
    """The lines of code that stand in none of the earlier lessons, wherever there and however deep."""
    known = {line.strip() for lesson in earlier for line in SOURCES[lesson].splitlines()}
    known |= {f"import {MODULES[lesson]} as agent" for lesson in earlier}  # all of it, unchanged
    return [line for line in lines_of_code(source) if line.strip() not in known]


@pytest.mark.parametrize("lesson", IDS)
def test_prices_in_a_script_are_those_of_its_model(lesson):
    models = tomllib.loads((ROOT / "course/models.toml").read_text(encoding="utf-8"))["models"]
    (price,) = [model["price"] for model in models if f"'{model['id']}'" in constant("s01", "MODEL")]
    stated = re.findall(r"^PRICE_IN, PRICE_OUT = ([\d.]+), ([\d.]+)\b", SOURCES[lesson], re.MULTILINE)
    assert [[float(number) for number in pair] for pair in stated] == [price] * ("PRICE" in SOURCES[lesson])


@pytest.mark.parametrize("lesson", IDS)
def test_a_script_imports_the_standard_library_anthropic_load_env_and_what_it_declares(lesson):
    declared = set(LESSONS[IDS.index(lesson)].get("imports", ()))
    for node in ast.walk(ast.parse(SOURCES[lesson])):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module]
            if node.module == "course":
                assert [alias.name for alias in node.names] == ["load_env"]
        else:
            continue
        for module in modules:
            top = module.partition(".")[0]
            declared.discard(top)
            allowed = ("anthropic", "course", *LESSONS[IDS.index(lesson)].get("imports", ()))
            assert top in sys.stdlib_module_names or top in allowed, module
    assert not declared, "declared, but not imported"


@pytest.mark.parametrize("lesson", IDS)
def test_the_pieces_of_a_script_come_in_one_order(lesson):
    order = """load_env client MODEL TOOLS FUNCTIONS run_tool run_tools show_call ask_claude agent_loop main""".split()
    block = "".join(block for _, block in BLOCK.findall(SOURCES[lesson]))
    for text in (block, BLOCK.sub("", SOURCES[lesson])):
        places = [re.search(rf"^(def )?{name}\b", text, re.M) for name in order]
        found = [place.start() for place in places if place]
        assert found == sorted(found)


def test_one_model_in_all_scripts_known_to_the_sdk_and_not_deprecated():
    from anthropic._data.deprecated_models import DEPRECATED_MODELS
    from anthropic.types.model import Model

    models = set(re.findall(r'"(claude-[^"]+)"', "".join(SOURCES.values())))
    assert len(models) == 1
    (model,) = models
    assert model in str(Model)
    assert model not in DEPRECATED_MODELS
    assert {constant(lesson, "MODEL") for lesson in WHOLE} == {f"os.environ.get('MODEL_ID', '{model}')"}
    assert {constant(lesson, "MAX_TOKENS") for lesson in WHOLE} == {8000}


@pytest.mark.parametrize("lesson", IDS)
def test_dates_have_the_right_weekday_and_are_not_soon_past(lesson):
    soon = datetime.date.today() + datetime.timedelta(days=90)
    for weekday, date in re.findall(rf"({WEEKDAYS}), ([A-Z][a-z]+ \d+, \d{{4}})", SOURCES[lesson]):
        day = datetime.datetime.strptime(date, "%B %d, %Y").date()
        assert f"{day:%A}" == weekday, date
        assert day > soon, f"{date} is near: move it a year on"


@pytest.mark.parametrize("lesson", IDS)
def test_what_a_script_prints_is_ascii(lesson):
    SOURCES[lesson].encode("ascii")


@pytest.mark.parametrize("lesson", IDS)
def test_the_docstring_tells_how_to_run_it_and_what_it_costs(lesson):
    doc = ast.get_docstring(ast.parse(SOURCES[lesson]))
    file = LESSONS[IDS.index(lesson)]["file"]
    assert doc.startswith(f"{lesson}: ")
    assert f"Run         python agents/{file}" in doc
    assert "Costs       nothing without a key" in doc
    assert f" {LESSONS[IDS.index(lesson)]['cost_usd']:.2f} USD" in doc  # as on its page
