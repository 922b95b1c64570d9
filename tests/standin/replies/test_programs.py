"""Programs as people write them, with tools and forms of answers of their own, played over the core."""

import json

import pytest

from .loop import ask, play

MODEL = "claude-haiku-5-5"
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def tool(name, description="", **properties):
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }
    return {"name": name, "description": description, "input_schema": schema}


def text_of(prompt, **more):
    body = {"model": MODEL, "max_tokens": 2000, "messages": [{"role": "user", "content": prompt}], **more}
    return ask(body)["content"][-1]["text"]


def formatted(schema):
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def test_an_answer_in_a_form_holds_what_the_prompt_says():
    assert json.loads(text_of("Anna is 31 years old", **formatted(PERSON))) == {"name": "Anna", "age": 31}


def test_a_list_in_a_form_has_one_item_for_each_sentence():
    people = {
        "type": "object",
        "properties": {"people": {"type": "array", "items": {"$ref": "#/$defs/Person"}}},
        "required": ["people"],
        "additionalProperties": False,
        "$defs": {"Person": PERSON},
    }
    found = json.loads(text_of("Extract: Jason is 25 years old. Ann is 30.", **formatted(people)))
    assert found == {"people": [{"name": "Jason", "age": 25}, {"name": "Ann", "age": 30}]}


def test_words_about_the_stand_in_fill_no_field_for_something_else():
    city = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }
    assert "stand-in" not in text_of("Where were the games held in 2012?", **formatted(city))


@pytest.mark.parametrize("place", ["system", "prompt"])
def test_a_schema_shown_in_a_prompt_that_asks_for_json_is_followed(place):
    demand = "Return only JSON that matches this schema:\n" + json.dumps(PERSON, indent=2)
    if place == "system":
        said = text_of("Extract: Jason is 25.", system=demand)
    else:
        said = text_of("Extract: Jason is 25.\n" + demand)
    assert json.loads(said) == {"name": "Jason", "age": 25}


def test_the_older_output_format_is_followed():
    said = text_of("Anna is 31 years old", output_format={"type": "json_schema", "schema": PERSON})
    assert json.loads(said) == {"name": "Anna", "age": 31}


def test_a_form_offered_as_the_only_tool_is_filled_in():
    form = ([{"name": "Person", "description": "About a person", "input_schema": PERSON}], {"Person": lambda **_: "ok"})
    assert play("Anna is 31 years old", form).rounds == [[["Person", {"name": "Anna", "age": 31}]]]
    assert play("Good morning!", form).rounds == []


GAME = [
    tool("roll_dice", "Roll a six-sided die and return the result."),
    tool("get_player_name", "Get the player's name."),
]
GAME_FUNCTIONS = {"roll_dice": lambda: "4", "get_player_name": lambda: "Anne"}


def test_tools_that_the_system_prompt_says_to_use_are_called():
    told = "You run a dice game. You should roll the die and see if it matches. Use the player's name."
    played = play("My guess is 4", (GAME, GAME_FUNCTIONS), system=told)
    assert {name for calls in played.rounds for name, _ in calls} == {"roll_dice", "get_player_name"}


def test_tools_that_the_system_prompt_keeps_for_a_question_are_not():
    told = "Use the roll_dice tool when the player asks for it."
    assert play("I like chess.", (GAME, GAME_FUNCTIONS), system=told).rounds == []


ORDERS = [
    {"id": "24601", "product": "Headphones", "status": "Shipped"},
    {"id": "13579", "product": "Phone case", "status": "Processing"},
]
SHOP = [
    tool(
        "find_user",
        "Look up a user by email, phone or username",
        key={"type": "string", "enum": ["email", "phone", "username"]},
        value={"type": "string", "description": "the value to match"},
    ),
    tool("get_orders_of_customer", "All orders of a customer", customer_id={"type": "string"}),
    tool("cancel_order", "Cancel an order that is still processing", order_id={"type": "string"}),
]
SHOP_FUNCTIONS = {
    "find_user": lambda key, value: json.dumps({"customer_id": "121", "name": "John Doe", key: value}),
    "get_orders_of_customer": lambda customer_id: json.dumps(ORDERS),
    "cancel_order": lambda order_id: f"Cancelled order {order_id}",
}
FIND = ["find_user", {"key": "email", "value": "john@example.com"}]
LIST = ["get_orders_of_customer", {"customer_id": "121"}]


def test_what_a_lookup_brought_is_used_for_the_next():
    played = play("Look up my orders, my email is john@example.com", (SHOP, SHOP_FUNCTIONS))
    assert played.rounds == [[FIND], [LIST]]
    assert "Headphones" in played.text


def test_three_tools_in_a_chain():
    played = play("Cancel my order that is still processing; my email is john@example.com", (SHOP, SHOP_FUNCTIONS))
    assert played.rounds == [[FIND], [LIST], [["cancel_order", {"order_id": "13579"}]]]
    assert "Cancelled order 13579" in played.text


NUMBERS = [
    tool(name, f"{name} two numbers", a={"type": "number"}, b={"type": "number"})
    for name in ("add", "subtract", "multiply", "divide")
]
NUMBER_FUNCTIONS = {
    "add": lambda a, b: str(a + b),
    "subtract": lambda a, b: str(a - b),
    "multiply": lambda a, b: str(a * b),
    "divide": lambda a, b: str(a / b),
}


@pytest.mark.parametrize(
    ("prompt", "calls", "answer"),
    [
        ("What is (3 + 5) * 12?", [["add"], ["multiply"]], "96"),
        ("What is 2 + 3 * 4 - 1?", [["multiply"], ["add"], ["subtract"]], "13"),
        ("Berechne (10 - 4) / 3", [["subtract"], ["divide"]], "Ergebnis ist 2"),
        ("计算 (1+2)*(3+4)", [["add", "add"], ["multiply"]], "21"),
    ],
)
def test_a_calculation_of_several_steps(prompt, calls, answer):
    played = play(prompt, (NUMBERS, NUMBER_FUNCTIONS))
    assert [[name for name, _ in each] for each in played.rounds] == calls
    assert answer in played.text


def test_a_step_of_a_calculation_that_fails_ends_it():
    played = play("What is 8 / 0 + 1?", (NUMBERS, NUMBER_FUNCTIONS))
    assert [name for each in played.rounds for name, _ in each] == ["divide"]
    assert "did not work" in played.text


class Disk:
    """Files and the API's own tools for them."""

    def __init__(self, **files):
        self.files = {name.replace("_py", ".py"): text for name, text in files.items()}

    def run(self, command, path="", **more):
        if command == "create":
            self.files[path] = more["file_text"]
        elif command == "insert":
            self.files[path] = more["insert_text"] + self.files[path]
        elif command == "str_replace":
            if self.files[path].count(more["old_str"]) != 1:
                raise ValueError("No match found for replacement")
            self.files[path] = self.files[path].replace(more["old_str"], more["new_str"])
        elif path == "/memories":
            return "\n".join(["Here are the files in /memories:", *self.files])
        else:
            return "\n".join(f"{n:6}\t{line}" for n, line in enumerate(self.files[path].splitlines(), 1))
        return "ok"


def own(kind, name, run, prompt):
    """Play a prompt with one of the API's own tools, which a program offers without a schema; return the calls."""
    messages, calls = [{"role": "user", "content": prompt}], []
    for _ in range(8):
        body = {"model": MODEL, "max_tokens": 2000, "tools": [{"type": kind, "name": name}], "messages": messages}
        reply = ask(body)
        messages.append({"role": "assistant", "content": reply["content"]})
        if reply["stop_reason"] != "tool_use":
            return calls, reply["content"][-1]["text"]
        results = []
        for block in reply["content"]:
            if block["type"] == "tool_use":
                calls.append(block["input"])
                try:
                    result = {"content": run(**block["input"])}
                except (KeyError, ValueError) as error:
                    result = {"content": f"Error: {error}", "is_error": True}
                results.append({"type": "tool_result", "tool_use_id": block["id"], **result})
        messages.append({"role": "user", "content": results})
    raise AssertionError("no end")


EDITOR = ("text_editor_20250728", "str_replace_based_edit_tool")


@pytest.mark.parametrize(
    ("prompt", "after"),
    [
        ("There's a syntax error in primes.py. Can you fix it?", "for i in range(3):\n    print(i)\n"),
        ("Change range(3) to range(9) in primes.py", "for i in range(9)\n    print(i)\n"),
        ("Ersetze range(3) durch range(9) in primes.py", "for i in range(9)\n    print(i)\n"),
        ("把 primes.py 里的 range(3) 改成 range(9)", "for i in range(9)\n    print(i)\n"),
    ],
)
def test_the_text_editor_is_used_to_look_and_then_to_change(prompt, after):
    disk = Disk(primes_py="for i in range(3)\n    print(i)\n")
    calls, _ = own(*EDITOR, disk.run, prompt)
    assert [call["command"] for call in calls] == ["view", "str_replace"]
    assert disk.files["primes.py"] == after


def test_the_text_editor_makes_files_and_shows_them():
    disk = Disk()
    own(*EDITOR, disk.run, "Create hello.txt with the text 'Hello World'")
    assert disk.files == {"hello.txt": "Hello World"}
    calls, text = own(*EDITOR, disk.run, "What's in hello.txt?")
    assert calls == [{"command": "view", "path": "hello.txt"}] and "Hello World" in text
    assert "did not work" in own(*EDITOR, disk.run, "What's in missing.txt?")[1]


def test_memory_is_looked_at_first_and_written_to_when_asked():
    disk = Disk()
    for prompt in ("Remember that I like coffee.", "Merk dir, dass ich Tee mag.", "记住我叫小明"):
        calls, _ = own("memory_20250818", "memory", disk.run, prompt)
        assert calls[0] == {"command": "view", "path": "/memories"}
    assert disk.files == {"/memories/notes.md": "我叫小明\nich Tee mag\nI like coffee\n"}
    assert "coffee" in own("memory_20250818", "memory", disk.run, "What do you know about me?")[1]


def test_the_bash_tool_of_the_api_is_used_like_any_other():
    calls, text = own("bash_20250124", "bash", lambda command: "a.py\nb.py", "List all Python files in this folder")
    assert "*.py" in calls[0]["command"] and "b.py" in text


FILE_TOOLS = [
    tool("read_file", "Read a file", path={"type": "string"}),
    {
        "name": "list_files",
        "description": "List files",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
    tool("edit_file", "Replace text", path={"type": "string"}, old_str={"type": "string"}, new_str={"type": "string"}),
    tool("write_file", "Write a file", path={"type": "string"}, content={"type": "string"}),
    tool("run_command", "Run a shell command", command={"type": "string"}),
]
FILE_FUNCTIONS = dict.fromkeys([each["name"] for each in FILE_TOOLS], lambda **_: "ok")


@pytest.mark.parametrize(
    ("prompt", "call"),
    [
        ("what do you see in this directory?", ["list_files", {"path": "."}]),
        ("What's in main.py?", ["read_file", {"path": "main.py"}]),
        ("Lies README.md", ["read_file", {"path": "README.md"}]),
        ("Create a file a.txt with the content Hello", ["write_file", {"path": "a.txt", "content": "Hello"}]),
        ("Change hello to bye in main.py", ["edit_file", {"path": "main.py", "old_str": "hello", "new_str": "bye"}]),
    ],
)
@pytest.mark.parametrize("tools", [FILE_TOOLS, FILE_TOOLS[:4]], ids=["with commands", "files only"])
def test_tools_for_files_are_used_for_files_even_beside_one_for_commands(prompt, call, tools):
    assert play(prompt, (tools, FILE_FUNCTIONS)).rounds == [[call]]


def test_among_forty_tools_the_one_named_by_the_prompt_is_called():
    many = [tool(f"tool_{n}", f"Does {n}", x={"type": "string"}) for n in range(39)]
    many.append(tool("search_flights", "Search flights", destination={"type": "string"}))
    played = play("Search flights to Rome", (many, {"search_flights": lambda destination: "LH 230"}))
    assert played.rounds == [[["search_flights", {"destination": "Rome"}]]]
    assert play("hello", (many, {})).rounds == []


def test_a_loop_that_keeps_results_as_text_ends():
    tools = [
        tool("get_weather", "Get the weather at a location", location={"type": "string"}),
        tool("final_answer", "Provides a final answer", answer={"type": "string"}),
    ]
    messages = [
        {"role": "user", "content": "What's the weather in Paris?"},
        {"role": "assistant", "content": "Calling tools: get_weather(location='Paris')"},
        {"role": "user", "content": "Observation:\nsunny, 25C"},
    ]
    body = {"model": MODEL, "max_tokens": 2000, "tools": tools, "tool_choice": {"type": "any"}, "messages": messages}
    call = next(block for block in ask(body)["content"] if block["type"] == "tool_use")
    assert (call["name"], call["input"]) == ("final_answer", {"answer": "sunny, 25C"})


def test_temperatures_written_as_text_are_compared():
    tools = [tool("get_weather", "Get the weather", city={"type": "string"})]
    degrees = {"Oslo": "3", "Rome": "21"}
    functions = {
        "get_weather": lambda city: json.dumps({"city": city, "temperature": degrees[city], "unit": "celsius"})
    }
    text = play("What's the weather in Oslo and Rome? Which one is warmest?", (tools, functions)).text
    assert "warmer in Rome" in text and "21C" in text


WEATHER = tool("get_weather", "Get the weather in a city", location={"type": "string"})
CLOCK = tool("get_time", "Get the time in a time zone", timezone={"type": "string"})
SUM = tool("calculate_sum", "Add two numbers", a={"type": "integer"}, b={"type": "integer"})
FUNCTIONS = {
    "get_weather": lambda location: "18C, rain",
    "get_time": lambda timezone: "10:00",
    "calculate_sum": lambda a, b: str(a + b),
}


def test_each_of_two_questions_keeps_its_own_place():
    played = play("What's the weather in San Francisco and what time is it in Tokyo?", ([WEATHER, CLOCK], FUNCTIONS))
    assert played.rounds == [[["get_weather", {"location": "San Francisco"}], ["get_time", {"timezone": "Asia/Tokyo"}]]]


def test_a_calculation_beside_a_lookup_is_asked_for_in_the_same_reply():
    played = play("What's the weather in Paris? Also, what's 15 + 27?", ([WEATHER, SUM], FUNCTIONS))
    assert [[name for name, _ in calls] for calls in played.rounds] == [["get_weather", "calculate_sum"]]
    assert "42" in played.text


def test_an_owner_and_a_repository_are_read_from_one_name():
    text = {"type": "string"}
    issues = [tool("create_issue", "Create an issue in a repository", owner=text, repo=text, title=text)]
    played = play(
        "Create an issue titled 'Bug in parser' in octocat/hello-world", (issues, {"create_issue": lambda **_: "1"})
    )
    assert played.rounds == [[["create_issue", {"owner": "octocat", "repo": "hello-world", "title": "Bug in parser"}]]]


def test_a_demanded_call_after_the_results_fills_in_the_form():
    form = {"name": "Person", "description": "About a person", "input_schema": PERSON}
    functions = FUNCTIONS | {"Person": lambda **_: "ok"}
    played = play("What's the weather in Oslo?", ([WEATHER, SUM, form], functions), tool_choice={"type": "any"})
    assert [calls[0][0] for calls in played.rounds][:2] == ["get_weather", "Person"]


IMAGE = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}


def test_an_image_is_said_to_be_unseen():
    prompt = [IMAGE, {"type": "text", "text": "Was siehst du?"}]
    assert "Bild" in text_of(prompt)
    messages = [
        {"role": "user", "content": "Take a screenshot"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "screenshot", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [IMAGE]}]},
    ]
    body = {"model": MODEL, "max_tokens": 2000, "tools": [tool("screenshot", "Takes a screenshot")]}
    assert "can't see" in ask(body | {"messages": messages})["content"][-1]["text"]


@pytest.mark.parametrize("part", ["change a to b in ", "把里", "把中的改成", "ersetze in in ", "Remember that ", "a/"])
def test_no_words_take_long(part):
    calls, _ = own(*EDITOR, Disk().run, part * 60_000 + " in a.py")
    assert len(calls) <= 2


@pytest.mark.parametrize("part", ["search for a ", "how many lines ", "a@b.c, ", 'create a file "x" '])
def test_no_words_about_commands_take_long(part):
    calls, _ = own("bash_20250124", "bash", lambda command: "ok", part * 6_000)
    assert len(calls) <= 8


@pytest.mark.parametrize("part", ["...", "[truncated ", "a.", "for x in y "])
def test_no_result_takes_long(part):
    long = part * (200_000 // len(part))
    own("bash_20250124", "bash", lambda command: long, "List all Python files")
    own(*EDITOR, lambda **_: long, "Fix a.py")


def test_a_tool_that_measures_something_else_is_no_weather_tool():
    room = [tool("get_temperature", "Get the temperature in a room", room={"type": "string"})]
    assert "city" not in play("I'm cold", (room, {})).text
    rain = [tool("will_it_rain", "Check for rain", location={"type": "string"})]
    played = play("Do I need an umbrella in Oslo?", (rain, {"will_it_rain": lambda location: "YES, rain"}))
    assert played.rounds == [[["will_it_rain", {"location": "Oslo"}]]]


def test_weather_is_told_in_the_unit_that_is_asked_for():
    played = play("How warm is it in New York, in Celsius?", ([WEATHER], {"get_weather": lambda location: "95F"}))
    assert "35C" in played.text


TO_USER = tool("send_text_to_user", "Sends a text message to a user", text={"type": "string"})
BY_NAME = tool("get_customer_info", "Retrieves a customer", username={"type": "string"})
MESSAGES = {"send_text_to_user": lambda text: "sent", "get_customer_info": lambda username: f"{username}@example.com"}


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Hey there! How are you?", ["send_text_to_user"]),
        ("Could you look up my account? My username is jenny76", ["get_customer_info", "send_text_to_user"]),
    ],
)
def test_where_a_call_is_always_demanded_the_user_is_told_once(prompt, names):
    played = play(prompt, ([TO_USER, BY_NAME], MESSAGES), tool_choice={"type": "any"})
    assert [name for calls in played.rounds for name, _ in calls] == names


def test_a_tool_that_the_prompt_names_is_called_with_the_plainest_values():
    score = {"type": "number", "minimum": 0, "maximum": 1}
    scores = [tool("print_scores", "Prints scores", positive_score=score, negative_score=score)]
    played = play("It was okay. Only use the print_scores tool.", (scores, {"print_scores": lambda **_: "ok"}))
    assert [name for calls in played.rounds for name, _ in calls] == ["print_scores"]
    assert "need to know" not in played.text


def test_what_may_be_null_is_not_asked_for():
    sort = {"type": ["string", "null"]}
    search = [tool("search_products", "Searches products", query={"type": "string"}, sort=sort)]
    played = play("Search products for books", (search, {"search_products": lambda **_: "3 products"}))
    assert played.rounds[0][0][1]["sort"] is None


def test_a_loop_that_keeps_its_errors_as_text_ends():
    tools = [
        tool("look_up", "Look up an order", order_id={"type": "string"}),
        tool("final_answer", "", answer={"type": "string"}),
    ]
    messages = [
        {"role": "user", "content": "Look up order A17"},
        {"role": "assistant", "content": "Calling tools: look_up('A17')"},
        {"role": "user", "content": "Call id: call_1\nError:\nno such order\nNow let's retry"},
    ]
    body = {"model": MODEL, "max_tokens": 2000, "tools": tools, "tool_choice": {"type": "any"}, "messages": messages}
    assert [block["name"] for block in ask(body)["content"] if block["type"] == "tool_use"] == ["final_answer"]
    whole = "\n".join(message["content"] for message in messages if message["role"] == "user")
    body["messages"] = [{"role": "user", "content": whole}]
    assert [block["name"] for block in ask(body)["content"] if block["type"] == "tool_use"] == ["final_answer"]


def test_a_schema_in_the_prompt_is_not_taken_for_what_the_prompt_is_about():
    advice = {"type": "object", "properties": {"advice": {"type": "string"}}, "required": ["advice"]}
    said = text_of("Give advice. Your answer must be JSON that follows this schema: " + json.dumps(advice))
    assert "properties" not in json.loads(said)["advice"]


def test_the_schemas_of_tools_that_are_called_by_text_are_no_form_for_the_answer():
    system = "Tools: add, with " + json.dumps(PERSON) + ". Answer only with\nAction: the tool\nAction Input: its JSON"
    assert "stand-in" in text_of("Who are you?", system=system)


EVALUATE = """Evaluate this code. Output your evaluation in the following format.

<evaluation>PASS, NEEDS_IMPROVEMENT, or FAIL</evaluation>
<feedback>
What needs improvement and why.
</feedback>

Code: pass"""
ROUTE = """Select the best team from these options: ['billing', 'technical']. Give your selection in this XML format:

<reasoning>Why this team.</reasoning>
<selection>The team</selection>

Input: my technical problem"""


def test_an_answer_stands_in_the_tags_that_the_prompt_shows():
    assert "<evaluation>PASS</evaluation>\n<feedback>I'm an offline" in text_of(EVALUATE)
    assert "<selection>technical</selection>" in text_of(ROUTE)
    assert text_of("Capital of France? Put your answer in <answer> tags.").startswith("<answer>")
    played = play("weather in Oslo", system="Place your replies to the user in <reply></reply> tags.")
    assert played.text.startswith("<reply>It's 23F") and played.text.endswith("</reply>")
    assert text_of("Summarize this: <document>Cats are nice.</document>").startswith("I'm")


def test_a_file_that_is_no_program_is_written_as_asked():
    files = {}

    def run(command):
        if command.startswith("cat >"):
            files["x.txt"] = command
        return "hello" if command == "cat x.txt" else ""

    calls, text = own("bash_20250124", "bash", run, "Create a file named x.txt containing hello")
    assert "hello" in files["x.txt"] and not any("hello.py" in call["command"] for call in calls)


def test_a_command_is_not_run_for_what_another_tool_does():
    tools = [FILE_TOOLS[-1], tool("send_email", "Send an e-mail", to={"type": "string"}, body={"type": "string"})]
    functions = {"send_email": lambda to, body: "sent", "run_command": lambda command: "ok"}
    played = play("Send an email to bob@example.com saying hello", (tools, functions))
    assert [name for calls in played.rounds for name, _ in calls] == ["send_email"]


def test_a_tool_that_is_only_named_is_loaded_before_it_is_called():
    reminder = "<system-reminder>\nLoad these with ToolSearch:\nWebFetch\nmcp__w__get_weather\n</system-reminder>"
    shell = tool("Bash", "Runs a command", command={"type": "string"})
    load = tool("ToolSearch", "Loads tools", query={"type": "string"})
    played = play(
        f"{reminder}\nWhat should I wear in Oslo?",
        ([shell, load], {"ToolSearch": lambda query: "loaded", "Bash": lambda command: ""}),
        turns=6,
    )
    assert played.rounds[0] == [["ToolSearch", {"query": "select:mcp__w__get_weather"}]]


def test_a_form_is_filled_from_the_prompt_before_if_the_last_speaks_of_a_previous_answer():
    form = {"name": "Person", "description": "About a person", "input_schema": PERSON}
    messages = [
        {"role": "user", "content": "Anna Berg is 31 years old"},
        {"role": "assistant", "content": "I can't answer freely."},
        {"role": "user", "content": "You must format the previous response as structured output."},
    ]
    body = {"model": MODEL, "max_tokens": 2000, "tools": [form], "tool_choice": {"type": "any"}, "messages": messages}
    call = next(block for block in ask(body)["content"] if block["type"] == "tool_use")
    assert call["input"] == {"name": "Anna Berg", "age": 31}


def test_a_form_takes_the_only_number_of_a_result():
    number, text = {"type": "number"}, {"type": "string"}
    form = tool("Weather", "The weather", city=text, temperature=number, conditions=text)
    functions = {"get_weather": lambda location: "95F, sunny", "Weather": lambda **_: "ok"}
    played = play("What's the weather in Austin?", ([WEATHER, form], functions), tool_choice={"type": "any"})
    assert played.rounds[1][0][1]["temperature"] == 95


def test_a_task_in_words_is_no_result_in_text():
    assert "stand-in" in play("Fix this:\nError: it broke", ([WEATHER], FUNCTIONS)).text
