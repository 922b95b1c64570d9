"""Values that a tool's input schema takes: `$ref`, `allOf`, `anyOf`, `enum`, `format`, nested objects and arrays."""

import datetime
import json
import re
from typing import Any

Schema = dict[str, Any]


class Nothing:
    """The type of NOTHING: no value fits (None is a value)."""

    def __bool__(self) -> bool:
        return False


NOTHING = Nothing()

COMBINING = frozenset(("$ref", "allOf", "anyOf", "oneOf"))
TYPES: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
DEPTH = 8  # a schema that refers to itself ends here
FORMATS = {  # compiled when they are used
    "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$",
    "date": r"\d{4}-\d\d-\d\d$",
    "time": r"\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?$",
    "email": r"[^\s@]+@[^\s@]+$",
    "uri": r"(?i)[a-z][a-z0-9+.-]*:\S+$",
    "uuid": r"(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    "hostname": r"(?i)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
    "ipv4": r"((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}(?<!\.)$",
    "ipv6": r"(?i)[0-9a-f:]*:[0-9a-f:.]*$",
    "duration": r"P(?=.)(\d+[YMWD])*(T(\d+[HMS])+)?$",
}
SAMPLES = {
    "date-time": "2027-09-06T10:00:00Z",
    "date": "2027-09-06",
    "time": "10:00:00",
    "email": "nobody@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "duration": "PT1H",
}
LONG_MINUTES = r"(?i)minut|\bmin\b"
LONG_HOURS = r"(?i)hour|\bhrs?\b|stunde"
LONG_SECONDS = r"(?i)second|\bsec\b|sekunde"
STAMP_EXAMPLE = r"\d([T ])\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?"


def resolve(schema: Any, root: Schema, depth: int = 0) -> Schema:
    """Follow `$ref` and merge `allOf`; a schema that is `true`, or cannot be followed, takes anything."""
    if not isinstance(schema, dict) or depth > DEPTH:
        return {}
    if "$ref" not in schema and "allOf" not in schema:
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target: Any = root
        for part in reference.lstrip("#").split("/"):
            if part:
                key = part.replace("~1", "/").replace("~0", "~")
                target = target.get(key, {}) if isinstance(target, dict) else {}
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**resolve(target, root, depth + 1), **rest}
    if isinstance(schema.get("allOf"), list):
        merged = {key: value for key, value in schema.items() if key != "allOf"}
        for one in schema["allOf"]:
            more = resolve(one, root, depth + 1)
            merged["properties"] = {**properties_of(merged), **properties_of(more)}
            merged["required"] = [*required_of(merged), *required_of(more)]
            merged = {**more, **merged}
        return {key: value for key, value in merged.items() if value not in ({}, [])}
    return schema


def properties(root: Schema) -> dict[str, Any]:
    """The arguments of a tool by name: the properties of its input schema."""
    return properties_of(resolve(root, root))


def required(root: Schema) -> list[str]:
    """The names of the arguments that a tool cannot do without."""
    return required_of(resolve(root, root))


def first(schema: Any, root: Schema) -> Schema:
    """The likeliest of its alternatives."""
    return variants(schema, root)[0]


def complete(given: dict[str, Any], root: Schema) -> dict[str, Any]:
    """An input with these values, and samples for what else is required."""
    known = properties(root)
    return given | {name: sample(known.get(name, {}), root, 1, name) for name in required(root) if name not in given}


def properties_of(schema: Schema) -> dict[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def required_of(schema: Schema) -> list[str]:
    found = schema.get("required")
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def variants(schema: Any, root: Schema) -> list[Schema]:
    """Return the alternatives of `anyOf`, `oneOf` and lists of types, null last."""
    if isinstance(schema, dict) and isinstance(schema.get("type"), str) and COMBINING.isdisjoint(schema):
        return [schema]
    schema = resolve(schema, root)
    several = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(several, list):
        outer = {key: value for key, value in schema.items() if key not in ("anyOf", "oneOf")}
        found = [{**outer, **one} for part in several for one in variants(part, root)]
    elif isinstance(schema.get("type"), list):
        found = [{**schema, "type": kind} for kind in schema["type"]]
    else:
        found = [schema]
    return sorted(found, key=lambda one: one.get("type") == "null") or [{}]


def kind_of(schema: Schema) -> str:
    """Return the type of a schema without alternatives, guessed from its other keys if it has none."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else ""


def valid(value: Any, schema: Any, root: Schema, depth: int = 0) -> bool:
    """Whether `value` is one that `schema` takes, as far as the common keywords say."""
    return depth > DEPTH or any(_valid(value, one, root, depth) for one in variants(schema, root))


def _valid(value: Any, schema: Schema, root: Schema, depth: int) -> bool:
    kind = kind_of(schema)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in ("integer", "number"):
        if not number or (kind == "integer" and value != int(value)):
            return False
    elif kind in TYPES and not isinstance(value, TYPES[kind]):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if isinstance(schema.get("enum"), list) and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        return _valid_text(value, schema)
    if number:
        return _valid_number(value, schema)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        if schema.get("uniqueItems") and any(item in value[:place] for place, item in enumerate(value)):
            return False
        return all(valid(item, schema.get("items", {}), root, depth + 1) for item in value)
    if isinstance(value, dict):
        known = properties_of(schema)
        if any(name not in value for name in required_of(schema)) or len(value) < schema.get("minProperties", 0):
            return False
        extra = schema.get("additionalProperties", True)
        return (extra is not False or value.keys() <= known.keys()) and all(
            valid(item, known.get(name, extra), root, depth + 1) for name, item in value.items()
        )
    return True


def _valid_text(value: str, schema: Schema) -> bool:
    form = FORMATS.get(str(schema.get("format")))
    if form and not re.match(form, value):
        return False
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return False
    return not isinstance(schema.get("pattern"), str) or _matches(schema["pattern"], value)


def _matches(pattern: str, value: str) -> bool:
    # Patterns come with the request: long values are not tried, so that no pattern can take for ever.
    try:
        return len(value) > 200 or re.search(pattern, value) is not None
    except re.error:
        return True


def _valid_number(value: float, schema: Schema) -> bool:
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    low, high, step = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"), schema.get("multipleOf")
    if (low is not None and value <= low) or (high is not None and value >= high):
        return False
    return not step or value % step == 0


def fit(value: Any, schema: Any, root: Schema, name: str = "", depth: int = 0) -> Any:
    """Return `value` in the form that `schema` asks for, or NOTHING.

    Takes dates, times and lengths (datetime objects), numbers as text ("15"), single values for arrays, and dicts
    whose keys are those of the schema's properties.
    """
    if value is NOTHING or depth > DEPTH:
        return NOTHING
    for one in variants(schema, root):
        found = _fit(value, one, root, name, depth)
        if found is not NOTHING and valid(found, one, root):
            return found
    return NOTHING


def _fit(value: Any, schema: Schema, root: Schema, name: str, depth: int) -> Any:
    kind = kind_of(schema)
    if isinstance(schema.get("enum"), list):
        return _choose(value, schema["enum"])
    if "const" in schema:
        return schema["const"]
    if kind == "array":
        values = value if isinstance(value, list | tuple) else [value]
        items = [fit(item, schema.get("items", {}), root, name, depth + 1) for item in values]
        if schema.get("uniqueItems"):
            items = [item for place, item in enumerate(items) if item not in items[:place]]
        return NOTHING if NOTHING in items else items[: schema.get("maxItems", len(items))]
    if kind == "object":
        return _fit_object(value, schema, root, depth)
    hint = f"{name} {schema.get('description', '')} {schema.get('title', '')}"
    if kind in ("integer", "number"):
        return _fit_number(value, kind, hint)
    if kind in ("string", ""):
        return _fit_text(value, schema, hint, loose=not kind)
    if kind == "boolean":
        return value if isinstance(value, bool) else NOTHING
    return None if kind == "null" and value is None else NOTHING


def _choose(value: Any, choices: list[Any]) -> Any:
    if value in choices:
        return value
    wanted = str(value).strip().lower()
    texts = [choice for choice in choices if isinstance(choice, str)]
    for test in (str.__eq__, str.startswith, lambda choice, word: word.startswith(choice)):
        for choice in texts:
            if wanted and choice and test(choice.lower(), wanted):
                return choice
    return NOTHING


def _fit_object(value: Any, schema: Schema, root: Schema, depth: int) -> Any:
    known = properties_of(schema)
    if not isinstance(value, dict):
        # One value for a whole object: it belongs to the property that takes it and is named most like it.
        likely = sorted(known, key=lambda key: (key not in required_of(schema), not _speaks_of(value, key)))
        for key in likely:
            if _speaks_of(value, key) and (found := fit(value, known[key], root, key, depth + 1)) is not NOTHING:
                value = {key: found}
                break
        else:
            return NOTHING
    built = {}
    for key, item in value.items():
        if key in known:
            found = fit(item, known[key], root, key, depth + 1)
            if found is not NOTHING:
                built[key] = found
        elif not known and schema.get("additionalProperties", True) is not False:
            built[key] = item if isinstance(item, str | int | float | bool | list | dict) or item is None else str(item)
    for key in required_of(schema):
        if key not in built:
            built[key] = sample(known.get(key, {}), root, depth + 1, key)
    return built


def _speaks_of(value: Any, key: str) -> bool:
    key = key.lower()
    if isinstance(value, datetime.date):
        return any(word in key for word in ("date", "time", "start", "end", "at"))
    if isinstance(value, str) and "@" in value:
        return "mail" in key or "address" in key
    return any(word in key for word in ("value", "name", "text", "id", "city", "query", "title"))


def _fit_number(value: Any, kind: str, hint: str) -> Any:
    if isinstance(value, datetime.timedelta):
        seconds = value.total_seconds()
        unit = 3600 if re.search(LONG_HOURS, hint) and not re.search(LONG_MINUTES, hint) else 60
        value = seconds if re.search(LONG_SECONDS, hint) and not re.search(LONG_MINUTES, hint) else seconds / unit
    if isinstance(value, str):
        try:
            value = float(value.replace(",", ""))
        except ValueError:
            return NOTHING
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        return NOTHING
    if value == int(value):
        return int(value)
    return NOTHING if kind == "integer" else value


def _fit_text(value: Any, schema: Schema, hint: str, loose: bool) -> Any:
    if isinstance(value, str):
        return value
    form = schema.get("format")
    if isinstance(value, datetime.datetime):
        if form == "date" or (not form and re.search(r"YYYY-MM-DD(?![T ]?HH)", hint) and "T" not in hint):
            return value.date().isoformat()
        if form == "time":
            return value.strftime("%H:%M:%S")
        example = re.search(STAMP_EXAMPLE, hint)
        if form != "date-time" and example:
            stamp = value.strftime(f"%Y-%m-%d{example[1]}%H:%M" + (":%S" if example[2] else ""))
            return stamp + (example[3] or "")
        return value.strftime("%Y-%m-%dT%H:%M:%S") + ("Z" if example and example[3] else "")
    if isinstance(value, datetime.date):
        return value.isoformat() + ("T00:00:00" if form == "date-time" else "")
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S" if form == "time" else "%H:%M")
    if isinstance(value, datetime.timedelta):
        minutes = int(value.total_seconds() // 60)
        return f"PT{minutes}M" if form == "duration" or "iso" in hint.lower() else f"{minutes} minutes"
    if loose:
        return value
    if isinstance(value, bool):
        return NOTHING
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict) else NOTHING


def sample(schema: Any, root: Schema, depth: int = 0, name: str = "") -> Any:
    """Return some value that `schema` takes: its first choice, its default or the plainest one.

    `name` is the property that it is for: a time zone is "UTC".
    """
    one = first(schema, root)
    if "const" in one:
        return one["const"]
    if isinstance(one.get("enum"), list) and one["enum"]:
        return one["enum"][0]
    examples = one.get("examples")
    for value in [one.get("default"), *(examples if isinstance(examples, list) else [])]:
        if value is not None and valid(value, one, root):
            return value
    kind = kind_of(one)
    if kind == "object" or (kind == "" and depth == 0):
        if depth > DEPTH:
            return {}
        known = properties_of(one)
        made = {key: sample(known.get(key, {}), root, depth + 1, key) for key in required_of(one)}
        for key in [*known, *map("key{}".format, range(min(int(one.get("minProperties", 0)), 100)))]:
            if len(made) < one.get("minProperties", 0) and key not in made:
                about = known.get(key, one.get("additionalProperties", {}))
                made[key] = sample(about, root, depth + 1, key)
        return made
    if kind == "array":
        least = min(int(one.get("minItems", 0)), 100) if depth <= DEPTH else 0
        item = sample(one.get("items", {}), root, depth + 1)
        return _distinct(item, one.get("items", {}), root, least) if one.get("uniqueItems") else [item] * least
    if kind in ("integer", "number"):
        return _plain_number(one, kind)
    if kind == "boolean":
        return False
    if kind == "null":
        return None
    if re.search(r"time_?zone|^tz$", name, re.IGNORECASE) and _valid_text("UTC", one):
        return "UTC"
    return _plain_text(one)


def _distinct(item: Any, schema: Any, root: Schema, count: int) -> list[Any]:
    """Return so many values that `schema` takes, each another one, `item` first; fewer if none come to mind."""
    tries = [item, *(variants(schema, root)[0].get("enum") or [])]
    if isinstance(item, str):
        tries += [f"{item}{more}" for more in range(2, count + 1)] + list("abcdefghijklmnopqrstuvwxyz")
    elif isinstance(item, int | float) and not isinstance(item, bool):
        tries += [item + more for more in range(1, count)]
    fitting = [one for place, one in enumerate(tries) if one not in tries[:place] and valid(one, schema, root)]
    return fitting[:count]


def _plain_number(schema: Schema, kind: str) -> float:
    step = schema.get("multipleOf") or 1
    small = 1 if kind == "integer" else 0.001
    tries = [0, 1, step]
    for key, offset in (("minimum", 0), ("exclusiveMinimum", small), ("maximum", 0), ("exclusiveMaximum", -small)):
        if isinstance(bound := schema.get(key), int | float):
            tries += [bound + offset, (bound // step + 1) * step, bound // step * step]
    for value in tries:
        value = int(value) if value == int(value) else value
        if (kind == "number" or value == int(value)) and _valid_number(value, schema):
            return value
    return 0


def _plain_text(schema: Schema) -> str:
    plain = SAMPLES.get(str(schema.get("format")), "")
    least = schema.get("minLength", 0)
    tries = [plain, "unknown", "0", "a", "A", "1" * 5, "A1", "AAA", "ABC-123", "000000", "a" * int(min(least, 10_000))]
    if not plain and "pattern" not in schema:
        tries.insert(0, "unknown")
    return next((value for value in tries if _valid_text(value, schema)), plain or "unknown")
