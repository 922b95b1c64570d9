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
