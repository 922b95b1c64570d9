"""The player in a real browser: what it shows at each step against the trace, and files of every kind."""

import copy
import json
import re
import subprocess
import sys
from datetime import datetime

import pytest

from course.site import DOCS, LANGUAGES, ROOT
from tests.browser.conftest import HERE
from tests.conftest import clean_env

AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
TRACES = DOCS / "assets" / "traces"
FILES = [file.name for file in TRACES.glob("*.json")]
NAMES = sorted(name.removesuffix(".json") for name in FILES if name.count(".") == 1)  # "s07.de.json" is a translation

# What a reader sees at this step. Shadow roots are open to Playwright and to this.
LOOK = """player => {
    const all = (within, what) => [...within.querySelectorAll(what)];
    const text = node => node ? node.textContent : null;
    const root = player.shadowRoot;
    const lines = all(root, '.code li[data-mark]');
    return {
        step: Number(player.dataset.step),
        slider: Number(root.querySelector('input[type=range]').value),
        caption: text(root.querySelector('.place')),
        line: lines.filter(line => line.dataset.mark !== 'other')
            .map(line => [Number(line.dataset.line), text(line)])[0] ?? null,
        raised: lines.some(line => line.dataset.mark === 'raised'),
        lanes: lines.filter(line => line.dataset.lanes).map(line => [Number(line.dataset.line), line.dataset.lanes]),
        messages: all(root, '.message:not(.pending, .refusal)').map(text),
        pending: all(root, '.message.pending').map(text),
        refusal: all(root, '.message.refusal').map(text),
        running: all(root, '.call[data-state=running] .id').map(text),
        done: all(root, '.call[data-state=done] .id').map(text),
        printed: text(root.querySelector('.printed pre')),
        turn: text(root.querySelector('.turn.current .long')),
        request: text(root.querySelector('.box-request .name')),
        reply: text(root.querySelector('.reply .facts')),
    };
}"""


def trace_of(name):
    return json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))


def open_lesson(page, site, name, step=1, language="en"):
    prefix = "" if language == "en" else f"{language}/"
    page.goto(f"{site}{prefix}lessons/{name[:3]}/#play-{name}:{step}")
    player = page.locator(f"#play-{name}")
    page.locator(f"#play-{name}[data-step='{step - 1}']").wait_for()
    return player


def expected(trace):
    """What is true at each step, worked out here from the trace alone."""
    lines, printed, messages, turn, exchange, replied = {}, "", [], 0, None, False
    running, done, again, pending = [], [], False, False
    for number, step in enumerate(trace["steps"]):
        kind, lane = step["kind"], step.get("lane", 0)
        if kind in ("line", "raise"):
            lines[lane] = step["line"]
        elif kind == "print":
            printed += step["text"]
        elif kind == "messages":
            messages = messages[: step["from"]] + step["messages"]
            pending = False
        elif kind == "call":
            running.append(trace["calls"][step["call"]]["id"])
        elif kind == "result":
            running.remove(trace["calls"][step["call"]]["id"])
            done.append(trace["calls"][step["call"]]["id"])
            lines.pop(lane if lane else None, None)
        elif kind == "request":
            exchange, replied, pending = step["exchange"], False, False
            if is_turn := trace["exchanges"][exchange]["path"] == "/v1/messages":  # and not a count of tokens
                turn += not again  # what is sent again after an error is the same turn
        elif kind == "reply":
            replied = True
            if is_turn:
                pending = trace["exchanges"][exchange]["reply"] is not None
                again = not pending
        yield {
            "step": number,
            "line": lines.get(lane, lines.get(0)),
            "raised": kind == "raise" and not step.get("caught"),
            "others": {other: line for other, line in lines.items() if other},
            "messages": messages,
            "printed": printed,
            "turn": turn,
            "exchange": exchange,
            "replied": replied,
            "pending": pending,
            "running": list(running),
            "done": list(done),
        }


def words_in(message):
    """Texts that have to be readable in the message."""
    if isinstance(message["content"], str):
        return [message["content"]]
    found = []
    for block in message["content"]:
        found += [block[key] for key in ("text", "name", "tool_use_id", "id") if isinstance(block.get(key), str)]
        if block["type"] == "tool_result" and isinstance(block["content"], str):
            found.append(block["content"])
    return found


@pytest.mark.parametrize("name", ["s07", "s08"])
def test_it_begins_where_the_program_does_after_all_that_runs_at_the_top(page, site, name):
    """Comprehensions at the top are functions to Python, and to nobody else."""
    steps = trace_of(name)["steps"]
    first = next(n for n, step in enumerate(steps) if step["kind"] == "line" and step["function"] in ("main", "leave"))
    page.goto(f"{site}lessons/{name}/")
    page.locator(f"#play-{name}").scroll_into_view_if_needed()
    page.locator(f"#play-{name}[data-step='{first}']").wait_for(timeout=5000)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_there_and_back_shows_what_the_trace_says(page, site, name):
    trace = trace_of(name)
    player = open_lesson(page, site, name)
    # One walk in the page. A message stands on many steps, so its text is handed over once, by number; and on the way
    # back, all that is handed over is where something else is seen.
    there, texts, differ = player.evaluate(
        f"""(player, steps) => {{
            const look = {LOOK}, numbers = new Map(), seen = [], differ = [];
            const number = text => numbers.get(text) ?? (numbers.set(text, numbers.size), numbers.size - 1);
            const lookNow = () => {{
                const now = look(player);
                return {{ ...now, messages: now.messages.map(number), printed: number(now.printed ?? '') }};
            }};
            const button = name => player.shadowRoot.querySelector('button.' + name);
            for (seen.push(lookNow()); seen.length < steps; seen.push(lookNow())) button('nextStep').click();
            for (let n = steps - 2; n >= 0; n--) {{
                button('previousStep').click();
                if (JSON.stringify(lookNow()) !== JSON.stringify(seen[n])) differ.push(n);
            }}
            return [seen, [...numbers.keys()], differ];
        }}""",
        len(trace["steps"]),
    )
    assert differ == []

    source = trace["source"].split("\n")
    for seen, real in zip(there, expected(trace), strict=True):
        at = f"{name}, step {real['step']}"
        assert seen["step"] == seen["slider"] == real["step"], at
        assert seen["caption"].startswith(f"Step {real['step'] + 1} of {len(trace['steps'])}"), at
        assert seen["line"] == [real["line"], source[real["line"] - 1]], at
        assert seen["raised"] == real["raised"], at
        shown = {lane: line for line, marks in seen["lanes"] for lane in marks}
        assert shown == {chr(ord("①") + lane - 1): line for lane, line in real["others"].items()}, at
        assert len(seen["messages"]) == len(real["messages"]), at
        for place, (number, message) in enumerate(zip(seen["messages"], real["messages"], strict=True)):
            text = texts[number]
            assert text.startswith(f"[{place}] {message['role']}"), at
            assert all(word in text for word in words_in(message)), at
        assert texts[seen["printed"]] == real["printed"], at
        assert seen["turn"] == (f"Turn {real['turn']}" if real["turn"] else "Start"), at
        assert seen["request"] == ("Request" if real["exchange"] is None else f"Request {real['exchange'] + 1}"), at
        if real["replied"]:
            exchange = trace["exchanges"][real["exchange"]]
            reply = exchange["reply"] or {"stop_reason": exchange["error"]["type"]}
            said = reply.get("stop_reason") or (
                f"input_tokens: {reply['input_tokens']}" if exchange["complete"] else "the connection broke"
            )
            assert seen["reply"].startswith(f"{exchange['status']}") and said in seen["reply"], at
            assert len(seen["pending"]) == real["pending"], at
            assert bool(seen["refusal"]) == (exchange["reply"] is None), at
            if seen["refusal"]:
                assert exchange["error"]["message"] in seen["refusal"][0], at
        else:
            assert seen["reply"] is None and seen["refusal"] == seen["pending"] == [], at
        asked = {block["id"] for message in real["messages"] for block in _calls(message)}
        if asked.issuperset(real["running"]):
            assert seen["running"] == real["running"], at
        if asked.issuperset(real["done"]):
            assert sorted(seen["done"]) == sorted(real["done"]), at
    assert page.course_faults == []


def _calls(message):
    content = message["content"]
    return [block for block in content if block["type"] == "tool_use"] if isinstance(content, list) else []


def step_of(trace, kind, which=0):
    """The number, from 1, of the n-th step of this kind."""
    return [n for n, step in enumerate(trace["steps"], 1) if step["kind"] == kind][which]


def test_a_reply_is_shown_as_such_until_the_script_has_added_it(page, site):
    trace = trace_of("s01")
    player = open_lesson(page, site, "s01", step_of(trace, "reply"))
    assert player.locator(".pending .call[data-state=asked]").count() == 1
    for _ in range(step_of(trace, "messages", 1) - step_of(trace, "reply")):
        player.locator("button.nextStep").click()
    assert player.locator(".pending").count() == 0
    assert player.locator(".message.assistant .call").count() == 1


def stop_the_clock(page):
    page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 60))


def test_a_stream_is_played_piece_by_piece_as_it_came(page, site):
    page.clock.install()
    trace = trace_of("s11")
    exchange = trace["exchanges"][2]
    player = open_lesson(page, site, "s11", step_of(trace, "reply", 2))
    said, button = player.locator(".pending .text"), player.locator(".stream button")
    whole = exchange["reply"]["content"][0]["text"]
    assert said.text_content() == whole and "25 pieces in 0.9 s" in player.locator(".stream").text_content()
    player.evaluate(
        """player => { window.seen = []; const pane = player.shadowRoot.querySelector('.conversation');
        const look = () => seen.push([pane.querySelector('.pending .text')?.textContent ?? '', player.dataset.step,
            player.shadowRoot.querySelector('[role=status]').textContent]);
        new MutationObserver(look).observe(pane, { childList: true, subtree: true }); }"""
    )
    stop_the_clock(page)
    button.focus()
    page.keyboard.press("Enter")
    page.clock.run_for(400)
    assert said.text_content().endswith("Stairs and doors on a way out ")  # which came at 394 ms, the next at 411
    assert button.text_content() == "Show the whole reply"
    page.clock.run_for(500)
    seen = page.evaluate("seen")
    texts = [text for text, _step, _status in seen]
    grown = {"".join(piece for _at, _block, piece in exchange["pieces"][:n]) for n in range(27)}
    assert grown.issuperset(texts) and texts == sorted(texts, key=len) and len(set(texts)) > 20
    assert len({(step, status) for _text, step, status in seen}) == 1  # a screen reader is told once
    assert button.evaluate("button => button.getRootNode().activeElement === button")
    assert button.text_content() == "Play the stream"

    button.click()  # and again, ended before it is over, by the same button and by a step
    button.click()
    assert said.text_content() == whole
    button.click()
    page.keyboard.press("ArrowRight")
    assert said.text_content() == whole


def test_a_call_grows_in_its_stream_and_play_waits_for_it(page, site):
    page.clock.install()
    trace = trace_of("s11")
    player = open_lesson(page, site, "s11", step_of(trace, "request"))
    stop_the_clock(page)
    player.locator("button.play").click()
    page.clock.run_for(230)  # the second piece of the first call comes at 240 ms
    calls = player.locator(".pending .call .mono")
    assert calls.all_text_contents() == ['{"words": "s']
    page.clock.run_for(10_000)
    assert int(player.get_attribute("data-step")) > step_of(trace, "reply")


def test_without_motion_a_stream_is_shown_all_at_once(browser, site):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    trace = trace_of("s11")
    player = open_lesson(page, site, "s11", step_of(trace, "reply", 2))
    assert player.locator(".stream").text_content() == "25 pieces in 0.9 s"
    assert player.locator(".stream button").count() == 0
    assert player.locator(".pending .text").text_content() == trace["exchanges"][2]["reply"]["content"][0]["text"]
    context.close()


def test_parallel_calls_stand_side_by_side_with_their_durations(page, site):
    trace = trace_of("s04")
    player = open_lesson(page, site, "s04", step_of(trace, "call", 2))
    boxes = [box.bounding_box() for box in player.locator(".call[data-state=running]").all()]
    assert len(boxes) == 3 and len({box["y"] for box in boxes}) == 1 and len({box["x"] for box in boxes}) == 3
    player = open_lesson(page, site, "s04", step_of(trace, "result", 2))
    assert player.locator(".call .state").all_text_contents() == ["1 s"] * 3
    assert player.get_by_text("3 calls, run side by side").is_visible()


def test_calls_that_ran_one_after_another_are_not_said_to_run_side_by_side(page, site):
    player = open_lesson(page, site, "s06", step_of(trace_of("s06"), "result", 2))
    assert player.get_by_text("2 calls in one reply").is_visible()
    assert player.get_by_text("side by side").count() == 0


def test_errors_can_be_seen_as_such(page, site):
    trace = trace_of("s05")
    player = open_lesson(page, site, "s05", step_of(trace, "raise"))
    assert player.locator(".code li[data-mark=raised]").count() == 1
    assert "ValueError" in player.locator(".what.bad").text_content()
    player = open_lesson(page, site, "s05", step_of(trace, "messages", 2))
    assert "error" in player.locator(".call.bad .flag").text_content()
    assert "error" in player.locator(".result.bad .flag").text_content()
    player = open_lesson(page, site, "s01-break", len(trace_of("s01-break")["steps"]))
    assert "invalid_request_error" in player.locator(".refusal").text_content()
    assert "ended with an exception" in player.locator(".what.bad").text_content()


def test_an_exception_that_was_caught_is_no_alarm(page, site):
    trace = trace_of("s07")
    assert trace["end"]["how"] == "finished" and not any(call["is_error"] for call in trace["calls"])
    player = open_lesson(page, site, "s07", step_of(trace, "raise"))
    assert player.locator(".what").text_content().startswith("Exception, caught: ProcessLookupError")
    assert player.locator(".mark.bad, .what.bad, .code li[data-mark=raised]").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_whose_prompt_is_translated_is_played_in_the_language_of_the_page(page, site, language):
    from course.site.outputs import find

    player = open_lesson(page, site, "s07", 1, language)
    player.locator("button.nextTurn").click()
    player.locator("button.nextTurn").click()
    assert find("s07", language).prompt in player.locator(".message").first.text_content()


@pytest.mark.parametrize("width", [360, 1300])
def test_the_handle_lies_below_the_names_of_the_turns(page, site, width):
    page.set_viewport_size({"width": width, "height": 740})
    player = open_lesson(page, site, "s04", 1)
    below = player.evaluate(
        """player => { const track = player.shadowRoot.querySelector('.track'), range = track.querySelector('input');
        const probe = document.createElement('div'); probe.style.height = 'var(--handle)'; track.append(probe);
        const top = track.getBoundingClientRect().bottom - probe.offsetHeight;
        return [...track.querySelectorAll('.turn span')].filter(name => name.offsetHeight)
            .map(name => top - name.getBoundingClientRect().bottom); }"""
    )
    assert len(below) > 3 and min(below) >= 0, below


def test_a_wrong_id_joins_nothing(page, site):
    player = open_lesson(page, site, "s02-break", step_of(trace_of("s02-break"), "messages", 2))
    assert "answers no call" in player.locator(".result.bad").text_content()


# --- moving ---


def test_keyboard_moves_only_while_the_player_has_the_focus(page, site):
    trace = trace_of("s01")
    last = len(trace["steps"]) - 1
    player = open_lesson(page, site, "s01", 40)
    step = lambda: int(player.get_attribute("data-step"))  # noqa: E731
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert step() == 39
    player.locator("button.previousTurn").focus()
    for key, there in (
        ("ArrowRight", 40),
        ("ArrowLeft", 39),
        ("Shift+ArrowRight", step_of(trace, "request", 1) - 1),
        ("Shift+ArrowRight", last),
        ("Shift+ArrowLeft", step_of(trace, "request", 1) - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", last),
        ("ArrowRight", last),
    ):
        page.keyboard.press(key)
        assert step() == there, key
    for pane in ("source", "conversation", "printed", "request", "reply"):
        player.locator(f".pane.{pane}").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert step() == 1, pane
    player.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert step() == 2
    assert "Line" in player.locator("input[type=range]").get_attribute("aria-valuetext")


def test_tab_reaches_and_leaves_the_player(page, site):
    open_lesson(page, site, "s01", 60)
    reached = []
    page.evaluate("document.querySelector('#watch').scrollIntoView()")
    page.locator("#play-s01 button.previousTurn").focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        inside = page.evaluate("document.activeElement.shadowRoot?.activeElement?.className ?? null")
        if inside is None:
            break
        reached.append(inside)
    assert inside is None
    for name in ("play main", "pane source", "pane conversation", "who", "pane printed", "pane request", "pane reply"):
        assert name in reached, reached


def test_play_and_pause(page, site):
    page.clock.install()
    player = open_lesson(page, site, "s01", 1)
    step = lambda: int(player.get_attribute("data-step"))  # noqa: E731
    player.locator("button.play").focus()
    page.keyboard.press("Enter")
    page.clock.run_for(3000)
    moved = step()
    assert moved >= 4
    assert player.locator("button.play").get_attribute("aria-label") == "Pause"
    player.locator(".pane.source").focus()
    page.keyboard.press(" ")
    page.clock.run_for(5000)
    assert step() == moved
    player.locator("select").select_option("8")
    player.locator("button.play").click()
    page.clock.run_for(60_000)
    assert step() == len(trace_of("s01")["steps"]) - 1
    assert player.locator("button.play").get_attribute("aria-label") == "Play"


def test_a_click_on_the_time_line_or_a_message_goes_there(page, site):
    trace = trace_of("s01")
    player = open_lesson(page, site, "s01", len(trace["steps"]))
    player.locator("button.who").nth(1).click()
    assert int(player.get_attribute("data-step")) == step_of(trace, "messages", 1) - 1
    page.keyboard.press("ArrowRight")  # the focus is still in the player
    assert int(player.get_attribute("data-step")) == step_of(trace, "messages", 1)
    box = player.locator("input[type=range]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(int(player.get_attribute("data-step")) - len(trace["steps"]) / 2) <= 2


def test_links_lead_to_a_step_and_anchors_still_to_headings(page, site):
    player = open_lesson(page, site, "s01", 45)
    assert player.bounding_box()["y"] < 200
    player.locator("button.nextStep").click()
    player.locator("button.link").click()
    assert page.url.endswith("#play-s01:46")
    page.evaluate("location.hash = '#play-s01:12'")
    page.locator("#play-s01[data-step='11']").wait_for()
    for odd in ("#play-s01:0", "#play-s01:9999", "#play-s01:x", "#play-s01", "#%E0%A4%A"):
        page.evaluate("hash => { location.hash = hash }", odd)
    page.evaluate("location.hash = '#exercises'")  # below both players
    page.locator("#play-s01-break[data-step]").wait_for()
    page.wait_for_function("Math.abs(document.querySelector('#exercises').getBoundingClientRect().top) < 200")
    assert page.course_faults == []


def test_nothing_is_fetched_before_the_player_is_near(page, site):
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    page.goto(site + "lessons/s01/", wait_until="networkidle")
    assert not [name for name in asked if name.startswith("player") or name in FILES]
    page.locator("#watch").scroll_into_view_if_needed()
    page.locator("#play-s01[data-step]").wait_for()
    assert "s01.json" in asked


def test_nothing_moves_when_the_player_comes(page, site):
    page.route("**/s01.json", lambda route: None)
    page.goto(site + "lessons/s01/#watch")
    page.wait_for_function("!!customElements.get('agent-player')")
    before = page.locator("#play-s01").bounding_box()["height"]
    page.unroute("**/s01.json")
    after = open_lesson(page, site, "s01", 40).bounding_box()["height"]
    assert abs(before - after) <= 20


# --- JSON ---


def test_json_unfolds_and_stays_as_it_was_left(page, site):
    trace = trace_of("s01")
    player = open_lesson(page, site, "s01", step_of(trace, "request"))
    tools = player.locator(".request .kids summary", has_text="tools")
    assert not player.locator(".request", has_text="input_schema").count()
    tools.click()
    player.locator(".request .kids .kids summary").first.click()
    assert "input_schema" in player.locator(".request").text_content()
    page.keyboard.press("End")
    assert "input_schema" in player.locator(".request").text_content()
    assert "Request 2" in player.locator(".box-request .name").text_content()


# --- the reader's own file ---


def own(page, site, language="en"):
    page.goto(site + ("" if language == "en" else f"{language}/") + "player/", wait_until="networkidle")
    player = page.locator("agent-player")
    player.locator("input[type=file]").wait_for(state="attached")
    return player


def choose(player, content, name="run.json"):
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    player.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": content}
    )


def change(name="s01", **members):
    return trace_of(name) | members


def spoil(name, act):
    trace = copy.deepcopy(trace_of(name))
    act(trace)
    return trace


@pytest.mark.parametrize("language", LANGUAGES)
def test_opens_a_file_and_sends_nothing(page, site, language):
    player = own(page, site, language)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    choose(player, b"\xef\xbb\xbf" + (TRACES / "s04.json").read_bytes(), "mein Lauf 运行.json")
    page.locator("agent-player[data-step]").wait_for()
    assert player.locator(".chosen").text_content() == "mein Lauf 运行.json"
    assert "s04_parallel_tools.py" in player.locator(".title").text_content()
    page.keyboard.press("Tab")
    assert sent == [] and page.course_faults == []


def test_opens_what_course_run_has_just_recorded(page, site, tmp_path):
    file = tmp_path / "run.json"
    command = [
        sys.executable,
        "-m",
        "course",
        "run",
        "s05",
        "--offline",
        "--fault",
        "rate_limit:1",
        "--trace",
        str(file),
    ]
    subprocess.run(command, cwd=ROOT, env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    player = own(page, site)
    choose(player, file.read_bytes())
    page.locator("agent-player[data-step]").wait_for()
    assert player.locator(".turn .long").last.text_content() == "Turn 3"  # a request sent again is no turn of its own
    player.locator("button.nextTurn").click()
    player.locator("button.nextStep").click()
    assert "429 rate_limit_error" in player.locator(".refusal").text_content()
    player.locator("button.play").focus()
    page.keyboard.press("End")
    assert re.search(r"\d ms|\d s", player.locator(".call .state").first.text_content())
    assert page.course_faults == []


def test_opens_a_file_that_is_dropped(page, site):
    player = own(page, site)
    player.evaluate(
        """(player, text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'dropped.json'));
            for (const name of ['dragover', 'drop'])
                player.dispatchEvent(new DragEvent(name, {dataTransfer: data, cancelable: true, bubbles: true}));
        }""",
        (TRACES / "s01.json").read_text(encoding="utf-8"),
    )
    page.locator("agent-player[data-step]").wait_for()
    assert player.locator(".chosen").text_content() == "dropped.json"


BAD = {
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00", ("not JSON", "不是 JSON", "kein JSON")),
    "half": ((TRACES / "s01.json").read_bytes()[:5000], ("not JSON", "不是 JSON", "kein JSON")),
    "nothing": (b"", ("not JSON", "不是 JSON", "kein JSON")),
    "foreign": ({"log": {"version": "1.2", "entries": []}}, ("no trace", "不是课程的运行记录", "keine Aufzeichnung")),
    "list": ([1, 2], ("no trace", "不是课程的运行记录", "keine Aufzeichnung")),
    "newer": (change(version=2), ("newer version", "较新版本", "neueren Version")),
    "version": (change(version="1"), ("`version`", "`version`", "`version`")),
    "no steps": (change(steps=None), ("`steps`", "`steps`", "`steps`")),
    "never began": (change(steps=[]), ("without a single step", "一步也没有", "ohne einen einzigen Schritt")),
    "place": (
        spoil("s01", lambda trace: trace["steps"][39].update(exchange=7)),
        ("`steps[39].exchange`",) * 3,
    ),
    "history": (spoil("s01", lambda trace: trace["steps"][44].update({"from": 5})), ("`steps[44].from`",) * 3),
    "call": (spoil("s01", lambda trace: trace["calls"][0].update(exchange=-1)), ("`calls[0].exchange`",) * 3),
    "pieces": (
        spoil("s11", lambda trace: trace["exchanges"][0]["pieces"].append([1, -1, ""])),
        ("`exchanges[0].pieces`",) * 3,
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_no_trace_is_explained(page, site, language):
    player = own(page, site, language)
    for name, (content, says) in BAD.items():
        choose(player, content, f"{name}.json")
        said = player.locator(".problem", has_text=f"{name}.json")
        said.wait_for()
        assert says[LANGUAGES.index(language)] in said.text_content(), name
        assert not player.locator(".player").is_visible()
    choose(player, trace_of("s01"))
    player.locator(".player").wait_for()
    assert not player.locator(".problem").is_visible()
    assert page.course_faults == []


def test_a_huge_file_is_played_without_building_what_is_not_seen(page, site):
    messages = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": f"message {n} " + "words " * 60} for n in range(4000)
    ]
    steps = [{"kind": "line", "line": 1 + n % 20_000, "function": "main"} for n in range(60_000)]
    for n, message in enumerate(messages):
        steps[n * 10] = {"kind": "messages", "from": n, "messages": [message]}
        steps[n * 10 + 1] = {"kind": "print", "stream": "stdout", "text": f"printed {n} " + "x" * 60 + "\n"}
    source = "\n".join(f"line_{n} = 'some text'" for n in range(1, 20_001))
    reply = {"content": [{"type": "text", "text": "y" * 600_000}], "deep": [[n] for n in range(20_000)]}
    exchange = trace_of("s01")["exchanges"][0] | {"reply": reply}
    steps += [{"kind": "request", "exchange": 0}, {"kind": "reply", "exchange": 0}]
    content = json.dumps(change(source=source, steps=steps, exchanges=[exchange], calls=[])).encode()
    assert len(content) > 5_000_000
    player = own(page, site)
    choose(player, content)
    page.locator("agent-player[data-step]").wait_for()
    player.locator("button.play").focus()
    for key, there in (("End", len(steps) - 1), ("Home", 0), ("End", len(steps) - 1), ("ArrowLeft", len(steps) - 2)):
        page.keyboard.press(key)
        assert int(player.get_attribute("data-step")) == there
        built = player.evaluate("player => player.shadowRoot.querySelectorAll('*').length")
        assert built < 6000
    assert "message 3999" in player.locator(".message").last.text_content()
    assert "printed 3999" in player.locator(".printed").text_content()
    before = player.locator(".message").count()
    player.locator(".conversation > .more").click()
    assert player.locator(".message").count() > before
    box = player.locator("input[type=range]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    line = player.locator(".code li[aria-current]")
    number = line.get_attribute("data-line")
    assert line.text_content() == f"line_{number} = 'some text'" and line.is_visible()
    assert page.course_faults == []


EVIL = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script><b>{{7*7}}</b>'


def _everywhere(value, key=""):
    """The same trace with the hostile text in every string that may hold any text."""
    if isinstance(value, dict):
        return {name: _everywhere(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_everywhere(item, key) for item in value]
    if isinstance(value, str) and key not in ("format", "kind", "how", "type", "role", "stream", "id", "tool_use_id"):
        return EVIL + value
    return value


@pytest.mark.parametrize("name", ["s04", "s01-break", "s05"])
def test_what_a_trace_holds_is_text_and_never_markup(page, site, name):
    trace = _everywhere(trace_of(name))
    trace["exchanges"][0]["request"][EVIL] = {EVIL: EVIL}
    player = own(page, site)
    choose(player, trace, "<img src=x onerror=window.hacked=1>.json")
    page.locator("agent-player[data-step]").wait_for()
    player.locator("button.play").focus()
    page.keyboard.press("Home")
    player.evaluate(
        """(player, steps) => {
            const root = player.shadowRoot, next = root.querySelector('button.nextStep');
            for (let n = 0; n < steps; n++) {
                next.click();
                if (n % 40 === 0) for (const details of root.querySelectorAll('.pane details')) details.open = true;
            }
        }""",
        len(trace["steps"]),
    )
    for pane in ("source", "conversation", "printed", "request"):
        assert "<img src=x onerror" in player.locator(f".pane.{pane}").text_content(), pane
    assert player.evaluate("player => player.shadowRoot.querySelectorAll('img, script, b b, iframe').length") == 0
    assert page.evaluate("window.hacked") is None
    assert page.course_faults == []


def test_no_value_of_a_wrong_kind_stops_the_player(page, site):
    """Each member of a trace in turn is replaced by something else: either a sentence, or a run that plays."""
    player = own(page, site)
    outcome = player.evaluate(
        """async (player, text) => {
            const trace = JSON.parse(text), wrong = [null, 7, -1, "x", true, [], {}, [null], [[1]], {type: 7}];
            const places = [];
            const walk = (value, path) => {
                if (typeof value !== 'object' || value === null) return;
                const names = Object.keys(value);
                // Of the many steps one of each kind is enough.
                const seen = new Set();
                for (const name of names) {
                    if (path[0] === 'steps' && path.length === 1) {
                        if (seen.has(value[name].kind)) continue;
                        seen.add(value[name].kind);
                    }
                    places.push([...path, name]);
                    walk(value[name], [...path, name]);
                }
            };
            walk(trace, []);
            const failed = [], counts = {played: 0, explained: 0};
            window.addEventListener('error', event => failed.push(event.message));
            let turn = 0;
            for (const path of places) {
                const spoiled = structuredClone(trace);
                const parent = path.slice(0, -1).reduce((value, name) => value[name], spoiled);
                parent[path.at(-1)] = wrong[turn++ % wrong.length];
                try {
                    await player.openFile(new File([JSON.stringify(spoiled)], 'x.json'));
                    const range = player.shadowRoot.querySelector('input[type=range]');
                    const shown = player.shadowRoot.querySelector('.problem').hidden;
                    counts[shown ? 'played' : 'explained']++;
                    if (!shown && !player.shadowRoot.querySelector('.problem').textContent.includes('x.json'))
                        failed.push([path.join('.'), player.shadowRoot.querySelector('.problem').textContent]);
                    for (let n = 0; shown && n < trace.steps.length; n += 1) player.go(n);
                    for (const details of player.shadowRoot.querySelectorAll('.pane details')) details.open = true;
                } catch (error) {
                    failed.push([path.join('.'), turn, String(error.stack)]);
                }
            }
            return {failed: failed.slice(0, 10), counts};
        }""",
        (TRACES / "s01-break.json").read_text(encoding="utf-8"),
    )
    assert outcome["failed"] == []
    assert outcome["counts"]["played"] > 50 and outcome["counts"]["explained"] > 20


@pytest.mark.parametrize("hostile", [{"toString": 1, "valueOf": 1}, "constructor"], ids=["object", "name"])
def test_values_that_a_script_would_stumble_over_are_text(page, site, hostile):
    """Every member that is shown and not checked, all at once: objects that say toString, names that objects have."""

    def spoil(value):
        if isinstance(value, list):
            return [spoil(item) for item in value]
        if not isinstance(value, dict):
            return value
        shown = {"how", "status", "path", "stop_reason", "id", "tool_use_id", "cost_usd", "seconds", "answered_by"}
        shown |= {"message", "input", "output", "cache_read", "result"}
        return {name: hostile if name in shown else spoil(item) for name, item in value.items()}

    trace = spoil(trace_of("s01-break"))
    player = own(page, site)
    choose(player, trace)
    page.locator("agent-player[data-step]").wait_for()
    player.evaluate("(player, steps) => { for (let n = 0; n < steps; n++) player.go(n); }", len(trace["steps"]))
    assert page.locator(f"agent-player[data-step='{len(trace['steps']) - 1}']").count() == 1
    assert ("toString" if isinstance(hostile, dict) else hostile) in player.locator(".conversation").text_content()
    assert page.course_faults == []


def test_json_nested_without_end_is_no_harm(page, site):
    deep = b"[" * 5000 + b"]" * 5000
    content = (
        json.dumps(change(calls=[trace_of("s01")["calls"][0] | {"result": "DEEP"}])).encode().replace(b'"DEEP"', deep)
    )
    player = own(page, site)
    choose(player, content)
    page.locator("agent-player[data-step]").wait_for()
    player.locator("button.play").focus()
    page.keyboard.press("End")
    assert page.course_faults == []


# --- for everybody ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_accessible_at_its_richest_steps(browser, site, language):
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    for name, kind, which in (
        ("s04", "result", 1),
        ("s05", "messages", 2),
        ("s01-break", "raise", 0),
        ("s01", "reply", 0),
    ):
        page.goto("about:blank")
        open_lesson(page, site, name, step_of(trace_of(name), kind, which), language)
        page.add_script_tag(path=AXE)
        for scheme, palette in (("light", "default"), ("dark", "slate")):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.locator(f"body[data-md-color-scheme={palette}]").wait_for()
            assert _violations(page, "agent-player") == [], (name, scheme)
    player = own(page, site, language)
    page.add_script_tag(path=AXE)
    choose(player, b"no")
    player.locator(".problem", has_text="run.json").wait_for()
    assert _violations(page, "agent-player") == []
    choose(player, trace_of("s02"))
    player.locator(".player").wait_for()
    player.locator(".keys summary").click()
    assert _violations(page, "agent-player") == []
    context.close()


def _violations(page, within):
    return page.evaluate(
        "within => axe.run(within, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"
        ".then(result => result.violations.map(each => [each.id, "
        "each.nodes.slice(0, 3).map(node => node.html.slice(0, 200) + node.failureSummary)]))",
        within,
    )


@pytest.mark.parametrize(
    ("language", "play", "line", "turn", "message"),
    [
        ("en", "Play", "Line 94 in main", "turn 1", "messages has one entry now"),
        ("zh", "播放", "第 94 行，main", "第 1 轮", "messages 现在有 1 条"),
        ("de", "Abspielen", "Zeile 94 in main", "Runde 1", "messages hat jetzt einen Eintrag"),
    ],
)
def test_speaks_the_language_of_the_page(page, site, language, play, line, turn, message):
    trace = trace_of("s01")
    number = next(n for n, step in enumerate(trace["steps"], 1) if step.get("line") == 94)
    player = open_lesson(page, site, "s01", number, language)
    assert player.locator("button.play").get_attribute("aria-label") == play
    assert player.locator(".what").text_content() == line
    live = player.locator("[aria-live=polite]")
    player.locator("button.nextStep").click()
    assert live.text_content() == message == player.locator(".what").text_content()
    player.locator("button.nextTurn").click()
    assert turn in player.locator(".place").text_content()
    assert player.evaluate("player => player.matches(`:lang(${player.lang})`)")
    assert player.get_attribute("lang") == language


def test_on_a_phone_nothing_is_cut_and_fingers_find_the_buttons(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page = context.new_page()
    player = open_lesson(page, site, "s04", 140)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    for button in player.locator(".toolbar button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 30
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    player.locator("button.nextStep").tap()
    assert player.get_attribute("data-step") == "140"
    wide = player.evaluate(
        "player => [...player.shadowRoot.querySelectorAll('.pane')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.className)"
    )
    assert wide == []
    context.close()


def test_less_motion_where_it_is_asked_for(browser, site):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    player = open_lesson(page, site, "s01", 60)
    moving = player.evaluate("player => player.shadowRoot.getAnimations?.().length ?? document.getAnimations().length")
    assert moving == 0
    assert player.locator(".message").first.evaluate("e => getComputedStyle(e).animationName") == "none"
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_the_output_stands_there(browser, site, language):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    prefix = "" if language == "en" else f"{language}/"
    page.goto(f"{site}{prefix}lessons/s01/")
    assert page.locator("#play-s01").get_by_text("turn 2: end_turn").is_visible()
    assert "JavaScript" in page.locator("#play-s01-break").text_content()
    page.goto(f"{site}{prefix}player/")
    assert page.locator("agent-player").get_by_text("course replay run.json").is_visible()
    context.close()


@pytest.mark.parametrize("missing", ["s01.json", "player.js"])
def test_when_something_does_not_load_the_output_is_there(page, site, missing):
    page.route(f"**/{missing}", lambda route: route.fulfill(status=404, body="gone"))
    page.goto(f"{site}lessons/s01/#watch")
    page.locator("#play-s01.failed").wait_for()
    page.locator("#play-s01").get_by_text("turn 2: end_turn").wait_for()
    if missing == "s01.json":
        assert "404" in page.locator("#play-s01 .problem").text_content()


def test_on_paper_there_is_no_player_and_the_output_stands_above(page, site):
    player = open_lesson(page, site, "s01", 60)
    page.emulate_media(media="print")
    assert not player.is_visible()
    assert page.locator("article").get_by_text("turn 2: end_turn").first.is_visible()


def test_the_wall(page, site):
    """Full screen: script, conversation and the rest at once."""
    player = open_lesson(page, site, "s01", 60)
    player.locator("button.full").click()
    page.wait_for_function("document.fullscreenElement?.id === 'play-s01'")
    assert re.match("Leave", player.locator("button.full").get_attribute("aria-label"))
    height = page.evaluate("innerHeight")
    for pane in ("source", "conversation", "printed", "request", "reply"):
        box = player.locator(f".pane.{pane}").bounding_box()
        assert box["height"] > 60 and box["y"] + box["height"] <= height + 1, pane
    page.keyboard.press("End")
    assert int(player.get_attribute("data-step")) == len(trace_of("s01")["steps"]) - 1


@pytest.mark.parametrize(
    "language, facts",
    [
        ("en", "of the input 600 from the cache, 50 into it · 0.0020 USD, so far 0.0030 USD"),
        ("zh", "输入中 600 读自缓存，50 写入缓存 · 0.0020 美元，累计 0.0030 美元"),
        ("de", "von der Eingabe 600 aus dem Cache, 50 hinein · 0,0020 USD, bisher 0,0030 USD"),
    ],
)
def test_an_answer_says_what_came_from_the_cache_and_what_all_cost(page, site, language, facts):
    first, second = copy.deepcopy(trace_of("s01")["exchanges"])[:2]
    first["cost_usd"] = 0.001
    second |= {"cost_usd": 0.002, "tokens": {"input": 10, "output": 5, "cache_read": 600, "cache_write": 50}}
    player = own(page, site, language)
    choose(player, change(exchanges=[first, second]))
    page.locator("agent-player[data-step]").wait_for()
    player.evaluate("player => player.go(player.tape.length - 1)")
    shown = player.locator(".reply .facts").text_content()
    assert "660" in shown and shown.endswith(facts)
