"""Tools to play with: those of the lessons, read from the scripts themselves, and the kinds that tutorials use.

A set is (tool definitions, functions by name); a function gets the arguments and returns text, or data for JSON.
"""

import ast
import datetime
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anthropic import beta_tool

AGENTS = Path(__file__).parents[3] / "agents"
CITIES = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}
TEAM = [f"{name}@example.com" for name in "ana ben chen dana emil fay gus hana ivan jo kim lee mia nina omar".split()]
TODAY = "Today is Monday, 2026-11-30."
SYSTEM = f"You manage the user's calendar. {TODAY} Everyone is {', '.join(TEAM)}."
EVENTS = [  # start, end, title, first day, how often
    ("09:00", "09:15", "Standup", "2026-12-07", 5),
    ("09:30", "12:00", "Board meeting", "2026-12-07", 1),
    ("14:00", "15:30", "Interview", "2026-12-02", 1),
]


def tools_of(script):
    """The TOOLS of a lesson, as they stand in its source."""
    tree = ast.parse((AGENTS / script).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TOOLS":
            return ast.literal_eval(node.value)
    raise LookupError(f"no TOOLS in {script}")


def get_weather(city):
    return (
        f"Weather in {city}: {CITIES[city]}"
        if city in CITIES
        else f"No weather for {city}. Known cities: {', '.join(CITIES)}"
    )


def create_calendar_event(title, start, end, attendees=(), recurrence=None):
    if len(attendees or ()) > 10:
        raise ValueError(f"attendees: {len(attendees)} people, but one event takes at most 10")
    times = f", {recurrence['frequency']}, {recurrence['count']} times" if recurrence else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees or ())} invited"


def list_calendar_events(date):
    day = datetime.date.fromisoformat(date)
    found = []
    for start, end, title, first, count in EVENTS:
        if 0 <= (day - datetime.date.fromisoformat(first)).days < count:
            found.append(f"{start}-{end} {title}")
    return f"{date}: {', '.join(found) or 'free'}"


@dataclass
class Recurrence:
    frequency: Literal["daily", "weekly"]
    count: int


def beta_calendar():
    """The calendar as s06 declares it: schemas written by the SDK, with $defs, $ref and anyOf."""

    @beta_tool(name="create_calendar_event")
    def create(
        title: str,
        start: str,
        end: str,
        attendees: list[str] = [],  # noqa: B006
        recurrence: Recurrence | None = None,
    ) -> str:
        """Put an event into the user's calendar and invite people.

        Args:
            start: Date and time, as in 2026-12-07T09:00
            end: Date and time, as in 2026-12-07T09:30
            attendees: E-mail addresses
            recurrence: How often and how many times in all; leave out for a single event
        """
        return ""

    @beta_tool(name="list_calendar_events")
    def list_events(date: str) -> str:
        """List the events of one day.

        Args:
            date: The day, as in 2026-12-07
        """
        return ""

    return [create.to_dict(), list_events.to_dict()]


def tool(name, description, required=None, **properties):
    """A tool definition. A property is a schema, a type's name or, if it has blanks, the description of a string."""

    def schema(value):
        if isinstance(value, dict):
            return value
        return {"type": "string", "description": value} if " " in value else {"type": value}

    return {
        "name": name,
        "description": description,
        "input_schema": {
            "type": "object",
            "properties": {key: schema(value) for key, value in properties.items()},
            "required": list(properties) if required is None else required,
        },
    }


def choice(*values):
    return {"type": "string", "enum": list(values)}


def _told(name):
    return lambda **given: f"{name}: done"


ASSISTANT = [  # more tools than most programs have
    tool("get_weather", "Get the weather.", city="string"),
    tool("send_email", "Send an e-mail.", to="string", subject="string", body="string"),
    tool("get_stock_price", "Get the price of a stock.", ticker="The ticker symbol, e.g. AAPL"),
    tool("translate_text", "Translate a text.", text="string", target_language="string"),
    tool("calculator", "Evaluate an expression.", expression="string"),
    tool("get_news", "Get the latest news about a topic.", topic="string"),
    tool("set_alarm", "Set an alarm.", time="The time, HH:MM"),
    tool("set_timer", "Set a timer.", minutes="integer"),
    tool("play_music", "Play music by artist, genre or song.", query="string"),
    tool("find_restaurants", "Find restaurants.", location="string", cuisine="string"),
    tool("create_note", "Create a note.", text="string"),
    tool("get_definition", "Define a word.", word="string"),
    tool("convert_currency", "Convert money.", amount="number", from_currency="ISO code", to_currency="ISO code"),
    tool("get_recipe", "Find a recipe.", dish="string"),
    tool("random_joke", "Tell a random joke."),
    tool("count_letters", "Count a letter in a word.", word="string", letter="string"),
    tool("search_hotels", "Search hotels.", city="string", check_in="string", check_out="string", max_price="number"),
    tool("search_flights", "Suche Flüge.", von="Der Abflugort", nach="Der Zielort", datum="Datum, JJJJ-MM-TT"),
    tool("create_user", "Create a user.", firstName="string", lastName="string", role=choice("user", "admin")),
    tool("read_file", "Read a file.", path="string"),
    tool("write_file", "Write a file.", path="string", content="string"),
]  # fmt: skip
CUSTOMERS = {"C1": {"name": "Dana Doe", "email": "dana@example.com", "phone": "555-0100"}}
ORDERS = {
    "O1": {"id": "O1", "product": "Lamp", "quantity": 2, "price": 19.99, "status": "Shipped"},
    "O2": {"id": "O2", "product": "Chair", "quantity": 1, "price": 49.99, "status": "Processing"},
}

CALENDAR = {"create_calendar_event": create_calendar_event, "list_calendar_events": list_calendar_events}

SETS = {
    "weather": (tools_of("s01_agent_loop.py"), {"get_weather": get_weather}),
    "location": (
        [
            tool("get_location", "Get the user's location from the IP address.", []),
            tool(
                "get_weather",
                "Get the current weather in a given location.",
                ["location"],
                location="The city and state, e.g. San Francisco, CA",
                unit={"type": "string", "enum": ["celsius", "fahrenheit"]},
            ),
        ],
        {
            "get_location": lambda: "San Francisco, CA",
            "get_weather": lambda location, unit="fahrenheit": {
                "temperature": 15,
                "unit": "celsius",
                "condition": "Fog",
            },
        },
    ),
    "event": (tools_of("s03_multi_turn.py"), CALENDAR),
    "calendar": (tools_of("s05_error_handling.py"), CALENDAR),
    "beta_calendar": (beta_calendar(), CALENDAR),
    "clock": (
        [*tools_of("s01_agent_loop.py"), tool("get_time", "Get the local time in a city.", city="string")],
        {"get_weather": get_weather, "get_time": lambda city: f"Local time in {city}: 17:40"},
    ),
    "misspelled": (
        [{**each, "name": "get_wether"} for each in tools_of("s01_agent_loop.py")],
        {"get_wether": get_weather},
    ),
    "places": (
        [
            tool(
                "create_calendar_event",
                "Put an event into the calendar.",
                ["title", "start"],
                title="string",
                start={"type": "string", "format": "date-time"},
                location="string",
                reminder_minutes="integer",
            )
        ],
        {"create_calendar_event": lambda title, start, location="", reminder_minutes=0: f"Created: {title}"},
    ),
    "calculator": (
        [tool("calculator", "Performs basic arithmetic.", expression="The expression to evaluate, e.g. '2 + 3 * 4'.")],
        {
            "calculator": lambda expression: {"25 * 4": "100", "(15 + 7) * 3": "66", "12 * 7": "84"}.get(
                expression, "42"
            )
        },
    ),
    "arithmetic": (
        [
            tool("add", "Adds a and b.", a="integer", b="integer"),
            tool("multiply", "Multiplies a and b.", a="integer", b="integer"),
            tool("divide", "Divides a by b.", a="integer", b="integer"),
        ],
        {"add": lambda a, b: str(a + b), "multiply": lambda a, b: str(a * b), "divide": lambda a, b: str(a // b)},
    ),
    "shop": (
        [
            tool(
                "get_customer_info", "Retrieves a customer's name, email and phone.", customer_id="The customer's id."
            ),
            tool("get_order_details", "Retrieves an order: product, price and status.", order_id="The order's id."),
            tool("cancel_order", "Cancels an order.", order_id="The id of the order to cancel."),
        ],
        {
            "get_customer_info": lambda customer_id: CUSTOMERS.get(customer_id, "Customer not found"),
            "get_order_details": lambda order_id: ORDERS.get(order_id, "Order not found"),
            "cancel_order": lambda order_id: f"Order {order_id} cancelled.",
        },
    ),
    "market": (
        [
            tool("get_time", "Get the current time in a time zone.", timezone="The IANA name, e.g. America/Chicago"),
            tool("get_stock_price", "Get the price of a stock.", ticker="The ticker symbol, e.g. AAPL"),
            tool("get_weather", "Get the weather.", location="The city and state, e.g. San Francisco, CA"),
        ],
        {
            "get_time": lambda timezone: "14:05",
            "get_stock_price": lambda ticker: "$212.50",
            "get_weather": lambda location: "59F and foggy",
        },
    ),
    "office": (
        [
            tool(
                "list_files", "List the files at a path.", [], path="A relative path, the current folder if left out."
            ),
            tool("read_file", "Read a file.", path="The relative path of a file."),
            tool("search_docs", "Search the documentation.", query="string"),
            tool("send_email", "Send an e-mail.", to="Address of the recipient", subject="string", body="string"),
            tool("run_sql", "Run SQL on the database: customers(id, name), orders(id, total).", query="The SQL query"),
        ],
        {
            "list_files": lambda path=".": "a.py\nb.py",
            "read_file": lambda path: f"{path} holds one line.",
            "search_docs": lambda query: f"Two pages about {query}.",
            "send_email": lambda to, subject, body: f"Sent to {to}.",
            "run_sql": lambda query: "42",
        },
    ),
    "todo": (
        [
            tool(
                "add_todo", "Add a task to the list.", ["task"], task="string", priority=choice("low", "medium", "high")
            ),
            tool("list_todos", "List all tasks."),
            tool("complete_todo", "Mark a task as completed.", id="integer"),
            tool("delete_todo", "Delete a task.", id="integer"),
        ],
        {
            "add_todo": lambda task, priority="medium": f"Added: {task}",
            "list_todos": lambda: ["buy milk", "call mom"],
            "complete_todo": lambda id: f"Completed: {id}",
            "delete_todo": lambda id: f"Deleted: {id}",
        },
    ),
    "home": (
        [
            tool(
                "set_light",
                "Turn lights on or off in a room.",
                ["room", "state"],
                room="string",
                state=choice("on", "off"),
                brightness={"type": "integer", "minimum": 0, "maximum": 100},
            ),
            tool("set_thermostat", "Set the thermostat temperature.", temperature="number"),
            tool("get_temperature", "Get the temperature in a room.", room="string"),
            tool("lock_door", "Lock a door.", door=choice("front", "back", "garage")),
        ],
        {
            "set_light": lambda room, state, brightness=100: f"{room}: {state}",
            "set_thermostat": lambda temperature: f"Set to {temperature}",
            "get_temperature": lambda room: "21C",
            "lock_door": lambda door: f"{door} locked",
        },
    ),
    "units": (
        [tool("convert_units", "Convert a value.", value="number", from_unit="e.g. km", to_unit="e.g. miles")],
        {"convert_units": lambda value, from_unit, to_unit: f"{value} {from_unit} = 42 {to_unit}"},
    ),
    "degrees": (
        [
            tool(
                "convert_temperature",
                "Convert a temperature.",
                value="number",
                from_unit=choice("celsius", "fahrenheit", "kelvin"),
                to_unit=choice("celsius", "fahrenheit", "kelvin"),
            )
        ],
        {"convert_temperature": lambda value, from_unit, to_unit: "42"},
    ),
    "operations": (
        [
            tool(
                "calculator",
                "Does one operation.",
                operation=choice("add", "subtract", "multiply", "divide"),
                operand1="number",
                operand2="number",
            )
        ],
        {
            "calculator": lambda operation, operand1, operand2: {
                "add": operand1 + operand2,
                "subtract": operand1 - operand2,
                "multiply": operand1 * operand2,
                "divide": operand1 / operand2,
            }[operation]
        },
    ),
    "search": (
        [tool("web_search", "Search the web.", topic="The topic to search the web for.")],
        {"web_search": lambda topic: f"Two pages on {topic}."},
    ),
    "database": (
        [
            tool(
                "query_database",
                "Run SQL. Tables: users(id, name, age, city), orders(id, total).",
                query="The SQL query.",
            )
        ],
        {"query_database": lambda query: [{"n": 3}]},
    ),
    "accounts": (
        [
            tool("get_user", "Look up a user.", key=choice("email", "phone", "username"), value="The value to match."),
            tool("get_order_by_id", "Get the details of one order.", order_id="The id of the order."),
            tool("get_customer_orders", "List the orders of a user.", customer_id="The user's customer id."),
            tool("cancel_order", "Cancel an order that is not shipped.", order_id="The id of the order."),
        ],
        {
            "get_user": lambda key, value: {"id": "213", "name": "Pria"},
            "get_order_by_id": lambda order_id: ORDERS["O1"],
            "get_customer_orders": lambda customer_id: [ORDERS["O2"]],
            "cancel_order": lambda order_id: "Can't cancel: already shipped",
        },
    ),
    "assistant": (ASSISTANT, {each["name"]: _told(each["name"]) for each in ASSISTANT}),
    "german": (
        [
            tool("hole_kunde", "Ruft die Daten eines Kunden ab.", kundennummer="Die Kundennummer"),
            tool("storniere_bestellung", "Storniert eine Bestellung.", bestellnummer="Die Bestellnummer"),
        ],
        {
            "hole_kunde": lambda kundennummer: {"name": "Anna Schmidt", "telefon": "030 1234"},
            "storniere_bestellung": lambda bestellnummer: f"{bestellnummer} ist storniert",
        },
    ),
    "chinese": (
        [
            tool("get_stock_price", "获取股票价格", symbol="股票代码，例如 AAPL"),
            tool("search_knowledge", "搜索知识库", query="string"),
            tool("send_message", "发送消息给某人", recipient="string", content="string"),
            tool("query_order", "查询订单状态", 订单号="string"),
            tool("search_flights", "查询航班", origin="string", destination="string", date="日期，格式 YYYY-MM-DD"),
        ],
        {
            "get_stock_price": lambda symbol: "189.5",
            "search_knowledge": lambda query: "三天内可退货",
            "send_message": lambda recipient, content: "已送达",
            "query_order": lambda 订单号: "已发货",
            "search_flights": lambda origin, destination, date: "CA1501 08:00",
        },
    ),
    "figures": (
        [
            tool("calculate_tip", "Calculates a tip.", bill="number", percent="number"),
            tool(
                "search_movies",
                "Search movies.",
                ["genre"],
                genre=choice("action", "sci-fi"),
                year="integer",
                min_rating="number",
            ),
            tool("schedule_reminder", "Schedule a reminder.", message="string", time="string"),
        ],
        {
            "calculate_tip": lambda bill, percent: str(bill * percent / 100),
            "search_movies": lambda genre, year=0, min_rating=0: "Inception",
            "schedule_reminder": lambda message, time: f"At {time}",
        },
    ),
    "powers": (
        [
            tool("add", "Add two integers.", a="integer", b="integer"),
            tool("multiply", "Multiply two integers.", a="integer", b="integer"),
            tool("exponentiate", "Exponentiate the base.", base="integer", exponent="integer"),
        ],
        {
            "add": lambda a, b: str(a + b),
            "multiply": lambda a, b: str(a * b),
            "exponentiate": lambda base, exponent: str(base**exponent),
        },
    ),
    "coordinates": (
        [
            tool("get_alerts", "Get weather alerts for a US state.", state="Two-letter code"),
            tool("get_forecast", "Get the weather forecast for a location.", latitude="number", longitude="number"),
        ],
        {"get_alerts": lambda state: "No alerts", "get_forecast": lambda latitude, longitude: "Tonight: 55F, clear"},
    ),
    "forecast": (
        [
            tool(
                "get_n_day_weather_forecast",
                "Get a forecast.",
                location="string",
                format=choice("celsius", "fahrenheit"),
                num_days="integer",
            )
        ],
        {"get_n_day_weather_forecast": lambda location, format, num_days: "sunny"},
    ),
    "help": (
        [
            tool("search_docs", "Search the documentation.", query="string"),
            tool("escalate_to_human", "Hand over to a human.", reason="string"),
        ],
        {"search_docs": lambda query: "Click Forgot.", "escalate_to_human": lambda reason: "Handed over"},
    ),
    "cart": (
        [
            tool("search_products", "Search products.", ["query"], query="string", max_price="number"),
            tool("add_to_cart", "Add a product to the cart.", ["product_id"], product_id="string", quantity="integer"),
            tool("view_cart", "Show the cart."),
            tool("checkout", "Check out."),
        ],
        {
            "search_products": lambda query, max_price=0: [{"id": "P1", "name": "Red shoes"}],
            "add_to_cart": lambda product_id, quantity=1: f"Added {quantity}",
            "view_cart": lambda: {"total": 0},
            "checkout": lambda: "order placed",
        },
    ),
    "bank": (
        [
            tool("get_balance", "Get the balance.", account_id="string"),
            tool("transfer_money", "Transfer money.", from_account="string", to_account="string", amount="number"),
            tool("list_transactions", "List transactions.", ["account_id"], account_id="string", limit="integer"),
        ],
        {
            "get_balance": lambda account_id: {"balance": 1200},
            "transfer_money": lambda from_account, to_account, amount: "Transferred",
            "list_transactions": lambda account_id, limit=10: [{"amount": -5}],
        },
    ),
    "none": ([], {}),
}


def run(functions, call):
    """Run one tool_use block; return its tool_result block."""
    try:
        result = functions[call["name"]](**call["input"])
    except Exception as error:
        return {"type": "tool_result", "tool_use_id": call["id"], "content": f"Error: {error}", "is_error": True}
    text = result if isinstance(result, str) else json.dumps(result)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": text}
