"""Requests for property tests: valid ones (a hypothesis strategy), and ways to break one of them in one place."""

import copy

from hypothesis import strategies as st

from course import models
from course.standin.rules import shapes

MODELS = [model.id for model in models.all_models()]
WORDS = st.sampled_from(
    ["hi", "Weather in Paris?", "größer", "天气", " x ", "a\nb", "\N{GRINNING FACE}", "\\", '"', "{i}", "\0x"]
)
NAMES = st.sampled_from(["get_weather", "a", "B-2", "_", "x" * 128, "create_event", "city", "when"])
SCALARS = st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))
INPUTS = st.dictionaries(NAMES, JSON, max_size=3)

PROPERTIES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "format": "date-time", "description": "when"},
        {"type": "integer", "minimum": 1, "maximum": 10},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
        {"enum": ["red", "green"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
        {},
        True,
    ]
)


@st.composite
def tool_lists(draw):
    tools = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        properties = draw(st.dictionaries(NAMES, PROPERTIES, max_size=3))
        schema = {"type": "object", "properties": properties, "required": sorted(properties)[:1]}
        tool = {"name": name, "input_schema": schema}
        if draw(st.booleans()):
            tool["description"] = draw(st.just("") | WORDS)
        if draw(st.booleans()):
            tool["type"] = "custom"
        tools.append(tool)
    return tools


@st.composite
def contents(draw):
    words = draw(WORDS)
    if draw(st.booleans()):
        return words
    return [
        {"type": "text", "text": words},
        *({"type": "text", "text": more} for more in draw(st.lists(WORDS, max_size=2))),
    ]


@st.composite
def results(draw, calls):
    blocks = []
    for call in draw(st.permutations(calls)):
        block = {"type": "tool_result", "tool_use_id": call["id"]}
        content = draw(st.none() | st.just("") | contents())
        if content is not None:
            block["content"] = content
        if draw(st.booleans()):
            block["is_error"] = draw(st.booleans())
        blocks.append(block)
    if draw(st.booleans()):
        blocks.append({"type": "text", "text": draw(WORDS)})
    return blocks


@st.composite
def conversations(draw, tools):
    """Messages that end with the user, with any number of finished calls."""
    messages = [{"role": "user", "content": draw(contents())}]
    number = 0
    for _ in range(draw(st.integers(0, 3))):
        if tools and draw(st.booleans()):
            calls = []
            for _ in range(draw(st.integers(1, 3))):
                number += 1
                name = draw(st.sampled_from(tools))["name"]
                calls.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": draw(INPUTS)})
            said = draw(st.lists(st.builds(lambda text: {"type": "text", "text": text}, WORDS), max_size=1))
            messages.append({"role": "assistant", "content": said + calls})
            messages.append({"role": "user", "content": draw(results(calls))})
        else:
            messages.append({"role": "assistant", "content": draw(contents())})
            messages.append({"role": "user", "content": draw(contents())})
        if draw(st.booleans()):
            messages.append({"role": "user", "content": draw(contents())})
    return messages


@st.composite
def valid_requests(draw):
    """Requests that the API takes."""
    model = models.find(draw(st.sampled_from(MODELS)))
    body = {"model": model.id, "max_tokens": draw(st.integers(0, model.max_output))}
    tools = draw(st.none() | tool_lists())
    body["messages"] = draw(conversations(tools))
    if tools:
        body["tools"] = tools
        if draw(st.booleans()):
            body["tool_choice"] = {"type": draw(st.sampled_from(["auto", "none"]))}
    options = {
        "system": st.just("") | contents(),
        "metadata": st.none() | st.just({"user_id": "u"}),
        "stop_sequences": st.none() | st.lists(WORDS, max_size=2),
        "stream": st.booleans(),
        "service_tier": st.sampled_from(["auto", "standard_only"]),
        "cache_control": st.none() | st.just({"type": "ephemeral"}),
        "inference_geo": st.none() | st.just("us"),
    }
    if "temperature_deprecated" not in model.refuses:
        options["temperature"] = st.sampled_from([0, 0.5, 1])
    if "adaptive" in model.thinking:
        options["thinking"] = st.just({"type": "adaptive"})
        options.pop("temperature", None)
    if model.effort:
        options["output_config"] = st.just({"effort": model.effort[0]})
    for name in draw(st.lists(st.sampled_from(sorted(options)), max_size=4, unique=True)):
        body[name] = draw(options[name])
    return body


JUNK = [
    *(None, True, -1, 0, 10**30, 1.5, "", " \n", "junk", "\ud800", "{i}", [], [[]], [None], {}),
    *({"type": "junk"}, {"type": None}, {"type": ["text"]}, {"text": "no type"}, {"type": "text", "text": ""}),
    *({"deep": [{"er": [{}, 1]}]}, ["a", 1, None]),
]
KEYS = ["junk", "type", "id", "cache_control", "content", "role", "name", "tool_use_id", "text", "is_error"]


def places(value, path=()):
    """The paths of all values in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def broken(body, random):
    """The request with one thing changed, anywhere: removed, replaced, doubled, moved, or something added."""
    body = copy.deepcopy(body)
    path = random.choice([path for path in places(body) if path])
    parent = body
    for key in path[:-1]:
        parent = parent[key]
    key = path[-1]
    how = random.choice(["remove", "replace", "replace", "double", "add", "move"])
    if how == "remove":
        del parent[key]
    elif how == "double" and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif how == "move" and isinstance(parent, list):
        parent.insert(random.randrange(len(parent)), parent.pop(key))
    elif how == "add" and isinstance(parent, dict):
        parent[random.choice(KEYS)] = copy.deepcopy(random.choice(JUNK))
    else:
        parent[key] = copy.deepcopy(random.choice(JUNK))
    return body


def surely_broken(body, random):
    """The request with one thing changed that no API takes: a required key gone, a type that never fits."""
    body = copy.deepcopy(body)
    spots = [(body, key) for key in shapes.REQUIRED]
    for message in body["messages"]:
        spots += [(message, "role"), (message, "content")]
        if isinstance(message["content"], list):
            for block in message["content"]:
                required = {"text": ("text",), "tool_use": ("id", "name", "input"), "tool_result": ("tool_use_id",)}
                spots += [(block, key) for key in ("type", *required[block["type"]])]
    for tool in body.get("tools", ()):
        spots += [(tool, "name"), (tool, "input_schema"), (tool["input_schema"], "type")]
    parent, key = random.choice(spots)
    if random.random() < 0.5:
        del parent[key]
    else:
        parent[key] = random.choice([None, 1.5, True, [7]])
    return body
