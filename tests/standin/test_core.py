"""The core as a function: what it answers, how replies end, streams, ids, signatures, counts, the list of models."""

import cProfile
import gzip
import json
import pstats
import re
import subprocess
import sys
import tracemalloc

import pytest

from course import models
from course.standin import ids, jsontext, sse, tokens
from course.standin.core import LIMITS, MAX_BODY, handle
from course.standin.talk import PLAYED, ApiFails

HEADERS = {"authorization": "Bearer key", "anthropic-version": "2026-10-21", "content-type": "application/json"}
WEATHER = {
    "name": "get_weather",
    "description": "Get today's weather in one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def ask(body, path="/v1/messages", **headers):
    response = handle("POST", path, HEADERS | headers, json.dumps(body).encode())
    data = b"".join(response.chunks)
    return response, data


def message(body, **headers):
    response, data = ask(body, **headers)
    assert response.status == 200, data
    return json.loads(data)


def get(path):
    response = handle("GET", path, HEADERS, b"")
    return response.status, json.loads(b"".join(response.chunks))


def weather(prompt="What should I wear in Austin today?", model="claude-sonnet-5-5", **more):
    return {
        "model": model,
        "max_tokens": 1000,
        "tools": [WEATHER],
        "messages": [{"role": "user", "content": prompt}],
    } | more


def answered(body, result="Weather in Austin: 95F, sunny"):
    """The request of the second turn: the reply and the results of its calls appended."""
    reply = message(body)
    calls = [block for block in reply["content"] if block["type"] == "tool_use"]
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": result} for call in calls]
    turn = [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": results}]
    return body | {"messages": body["messages"] + turn}


# --- shape -----------------------------------------------------------------------------------------------------------


def test_a_tool_call_then_an_answer():
    first = message(weather())
    assert first["stop_reason"] == "tool_use"
    call = first["content"][-1]
    assert (call["type"], call["name"], call["input"]) == ("tool_use", "get_weather", {"city": "Austin"})
    second = message(answered(weather()))
    assert second["stop_reason"] == "end_turn"
    assert "95" in second["content"][-1]["text"]


def test_the_headers_of_an_answer():
    response, _ = ask(weather())
    assert response.headers["content-type"] == "application/json"
    assert re.fullmatch(r"req_01[1-9A-HJ-NP-Za-km-z]{22}", response.headers["request-id"])
    for kind, limit in LIMITS.items():
        assert response.headers[f"anthropic-ratelimit-{kind}-limit"] == str(limit)
        assert int(response.headers[f"anthropic-ratelimit-{kind}-remaining"]) <= limit
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", response.headers[f"anthropic-ratelimit-{kind}-reset"])


def test_an_error_has_the_envelope_and_its_request_id():
    response = handle("POST", "/v1/nothing", HEADERS, b"{}")
    body = json.loads(b"".join(response.chunks))
    assert response.status == 404
    assert body["type"] == "error" and body["error"]["type"] == "not_found_error"
    assert body["request_id"] == response.headers["request-id"]


def test_a_refusal_names_its_rule_in_a_header():
    response, _ = ask(weather(max_tokens=-1))
    assert response.headers["x-course-rule"] == response.rule == "max_tokens_negative"
    assert "x-course-rule" not in ask(weather())[0].headers


OTHER_PATHS = {
    ("POST", "/v1/messages/batches"): "Message Batches API",
    ("GET", "/v1/files?limit=3"): "Files API",
    ("GET", "/v1/skills/skill_1"): "Skills API",
    ("POST", "/v1/complete"): "Text Completions API",
    ("POST", "/v1/chat/completions"): "OpenAI",
    ("GET", "/"): "stand-in",
    ("POST", "/messages"): "the path is /v1/messages",
    ("POST", "/v1/v1/messages"): "the path is /v1/messages",
    ("POST", "/v1/messages/"): "the path is /v1/messages",
    ("POST", "//v1//messages/count_tokens"): "the path is /v1/messages/count_tokens",
}


def test_a_player_can_let_the_api_fail():
    def play(talk):
        raise ApiFails("spend_limit")

    body = {"model": "claude-sonnet-5-5", "max_tokens": 99, "messages": [{"role": "user", "content": "Hi"}]}
    response = handle("POST", "/v1/messages", HEADERS, json.dumps(body).encode(), play)
    error = json.loads(b"".join(response.chunks))["error"]
    assert (response.status, error["type"], response.rule) == (429, "rate_limit_error", PLAYED)
    assert error["details"] == {"error_code": "enforced_spend_limit_reached"}


@pytest.mark.parametrize("asked, part", OTHER_PATHS.items())
def test_a_path_that_is_not_played_is_told_what_it_is(asked, part):
    response = handle(*asked, {}, b"")
    error = json.loads(b"".join(response.chunks))
    assert response.status == 404 and response.rule == "unknown_path"
    assert error["error"]["type"] == "not_found_error" and part in error["error"]["message"]
    assert ("It plays POST /v1/messages" in error["error"]["message"]) != ("the path is" in part)


def test_health_needs_no_key():
    for method in ("GET", "HEAD"):
        response = handle(method, "/health", {}, b"")
        assert response.status == 200 and json.loads(b"".join(response.chunks))["status"] == "ok"


def test_the_server_s_request_id_is_used():
    assert ask(weather(), **{"request-id": "req_here"})[0].headers["request-id"] == "req_here"
    refused, data = ask(weather(max_tokens=-1), **{"request-id": "req_here"})
    assert refused.headers["request-id"] == json.loads(data)["request_id"] == "req_here"


OPT_IN = "anthropic-dangerous-direct-browser-access"


def test_only_browsers_that_opt_in_may_ask_from_elsewhere():
    asked = {"access-control-request-method": "POST", "access-control-request-headers": f"x-api-key,{OPT_IN}"}
    allowed = handle("OPTIONS", "/v1/messages", asked, b"")
    assert allowed.status == 200
    assert allowed.headers["access-control-allow-origin"] == "*"
    assert allowed.headers["access-control-allow-headers"] == f"x-api-key,{OPT_IN}"
    other = handle("OPTIONS", "/v1/messages", asked | {"access-control-request-headers": "x-api-key"}, b"")
    assert other.status == 405 and "access-control-allow-origin" not in other.headers
    for body in (weather(), weather(max_tokens=-1)):
        assert ask(body, **{OPT_IN: "true"})[0].headers["access-control-allow-origin"] == "*"
        for more in ({}, {OPT_IN: "false"}):
            assert "access-control-allow-origin" not in ask(body, **more)[0].headers


def test_the_same_request_gets_the_same_answer_and_another_process_gives_it_too():
    body = weather()
    code = (
        "import json, sys; from course.standin.core import handle\n"
        "r = handle('POST', '/v1/messages', json.loads(sys.argv[1]), sys.argv[2].encode())\n"
        "sys.stdout.buffer.write(b''.join(r.chunks))"
    )
    command = [sys.executable, "-c", code, json.dumps(HEADERS), json.dumps(body)]
    other = subprocess.run(command, capture_output=True, check=True).stdout
    assert ask(body)[1] == ask(body)[1] == other


def test_the_core_needs_no_server_and_no_sdk():
    code = (
        "import sys; before = set(sys.modules)\n"
        "import course.standin.core\n"
        "heavy = {'uvicorn', 'anthropic', 'socket', 'asyncio', 'ssl', 'subprocess', 'pydantic'}\n"
        "print(*sorted(heavy & set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, encoding="utf-8")
    assert done.stdout.split() == []


# --- thread requests, paths, methods ---------------------------------------------------------------------------------


@pytest.mark.parametrize("thread", [{"type": "create"}, {"type": "continue", "previous_message_id": "msg_01x"}])
def test_thread_requests_are_refused_as_the_sdk_expects(thread):
    body = {"model": "claude-sonnet-5-5", "max_tokens": 10, "messages": [], "thread": thread}
    response, data = ask(body, **{"anthropic-beta": "message-threads-2026-08-12"})
    assert response.status == 400
    error = json.loads(data)["error"]
    assert error["type"] == "invalid_request_error"
    assert error["details"] == {"error_code": "thread_unsupported_request"}


@pytest.mark.parametrize(
    "method, path, status, kind",
    [
        ("HEAD", "/", 404, "not_found_error"),
        ("GET", "/", 404, "not_found_error"),
        ("POST", "/v1/v1/messages", 404, "not_found_error"),
        ("POST", "/v1/complete", 404, "not_found_error"),
        ("GET", "/v1/messages", 405, "invalid_request_error"),
        ("DELETE", "/v1/messages", 405, "invalid_request_error"),
        ("GET", "/v1/messages/count_tokens", 405, "invalid_request_error"),
        ("POST", "/v1/models", 405, "invalid_request_error"),
    ],
)
def test_other_paths_and_methods(method, path, status, kind):
    response = handle(method, path, HEADERS, b"")
    assert response.status == status
    assert json.loads(b"".join(response.chunks))["error"]["type"] == kind


def test_beta_in_the_query_changes_nothing():
    assert ask(weather(), path="/v1/messages?beta=true")[1] == ask(weather())[1]


# --- where a reply ends ----------------------------------------------------------------------------------------------


def final(**more):
    return answered(weather()) | more


def test_max_tokens_cuts_the_text():
    whole = message(final())["content"][-1]["text"]
    cut = message(final(max_tokens=5))
    assert cut["stop_reason"] == "max_tokens"
    text = cut["content"][-1]["text"]
    assert 0 < len(text) < len(whole) and whole.startswith(text)
    assert cut["usage"]["output_tokens"] == 5


def test_a_limit_that_is_just_enough_cuts_nothing():
    used = message(final())["usage"]["output_tokens"]
    assert message(final(max_tokens=used))["stop_reason"] == "end_turn"
    assert message(final(max_tokens=used - 1))["stop_reason"] == "max_tokens"


def test_every_limit_gives_a_reply_that_can_be_sent_back_and_streams_alike():
    for limit in range(60):
        body = weather("What should I wear in Oslo and Berlin?", max_tokens=limit)
        cut = message(body)
        assert cut["usage"]["output_tokens"] <= limit
        for block in cut["content"]:
            if block["type"] == "tool_use":
                assert set(block["input"]) <= {"city"}
        if cut["stop_reason"] == "max_tokens":
            assert cut["usage"]["output_tokens"] == limit
        assert accumulated(body) == cut


def test_max_tokens_zero_gives_no_content():
    reply = message(weather(max_tokens=0))
    assert (reply["content"], reply["stop_reason"], reply["usage"]["output_tokens"]) == ([], "max_tokens", 0)


def test_a_stop_sequence_ends_the_text_before_itself():
    whole = message(final())["content"][-1]["text"]
    stop = whole[5:9]
    reply = message(final(stop_sequences=["@@@", stop]))
    assert (reply["stop_reason"], reply["stop_sequence"]) == ("stop_sequence", stop)
    assert reply["content"][-1]["text"] == whole[: whole.index(stop)]


def test_a_stop_sequence_at_the_beginning_leaves_no_empty_block():
    whole = message(final())["content"][-1]["text"]
    assert message(final(stop_sequences=[whole[:3]]))["content"] == []


def test_the_first_of_several_stop_sequences_counts():
    whole = message(final())["content"][-1]["text"]
    early, late = whole[2:6], whole[10:14]
    assert message(final(stop_sequences=[late, early]))["stop_sequence"] == early


# --- streaming -------------------------------------------------------------------------------------------------------


def stream(body):
    response, data = ask(body | {"stream": True})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert data.endswith(b"\n\n")
    events = []
    for part in data.decode().removesuffix("\n\n").split("\n\n"):
        name, text = part.split("\n")
        event = json.loads(text.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        events.append(event)
    return events


def accumulated(body):
    """The message that the events add up to, by the letter of the streaming documentation."""
    result, texts = {}, {}
    for event in stream(body):
        if event["type"] == "message_start":
            result = event["message"]
        elif event["type"] == "content_block_start":
            assert event["index"] == len(result["content"])
            result["content"].append(event["content_block"])
        elif event["type"] == "content_block_delta":
            block, delta = result["content"][event["index"]], event["delta"]
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            elif delta["type"] == "thinking_delta":
                block["thinking"] += delta["thinking"]
            elif delta["type"] == "signature_delta":
                block["signature"] += delta["signature"]
            else:
                texts[event["index"]] = texts.get(event["index"], "") + delta["partial_json"]
        elif event["type"] == "message_delta":
            result |= event["delta"]
            result["usage"] |= event["usage"]
    for index, text in texts.items():
        result["content"][index]["input"] = _parse_partial(text)
    return result


def _parse_partial(text):
    """The arguments that are whole. The stand-in breaks off in a name, never in a value."""
    if not text:
        return {}
    for end in range(len(text), 0, -1):
        for close in ("", "}"):
            try:
                return json.loads(text[:end].rstrip(", ") + close)
            except ValueError:
                continue
    return {}


BODIES = {
    "call": weather(),
    "two calls": weather("What should I wear in Oslo and Berlin?"),
    "answer": answered(weather()),
    "no tools": {"model": "claude-haiku-4-5", "max_tokens": 50, "messages": [{"role": "user", "content": "Hello"}]},
    "chinese": weather("明天在成都穿什么？"),
    "german": weather("Was soll ich morgen in Wien anziehen?"),
    "thinking": weather(thinking={"type": "adaptive", "display": "summarized"}),
    "cut text": answered(weather()) | {"max_tokens": 4},
    "stop sequence": answered(weather()) | {"stop_sequences": ["9"]},
    "nothing": weather(max_tokens=0),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_stream_adds_up_to_the_json_reply(name):
    assert accumulated(BODIES[name]) == message(BODIES[name])


@pytest.mark.parametrize("name", BODIES)
def test_the_order_of_events(name):
    types = [event["type"] for event in stream(BODIES[name])]
    blocks = len(message(BODIES[name])["content"])
    one = r"content_block_start( ping)?( content_block_delta)* content_block_stop "
    assert re.fullmatch(rf"message_start ({one}){{{blocks}}}message_delta message_stop", " ".join(types))
    if blocks:
        assert types[1:3] == ["content_block_start", "ping"] and types.count("ping") == 1


@pytest.mark.parametrize("kind", ["tool_use", "server_tool_use", "mcp_tool_use"])
def test_the_input_of_every_kind_of_call_comes_in_pieces(kind):
    asked = {"query": "the weather in Oslo today"}
    block = {"type": kind, "id": "toolu_1", "name": "search", "input": asked}
    sent = b"".join(sse.events(message(weather()) | {"content": [block]})).decode()
    events = [json.loads(line.removeprefix("data: ")) for line in sent.splitlines() if line.startswith("data: ")]
    opened = next(event["content_block"] for event in events if event["type"] == "content_block_start")
    pieces = [event["delta"]["partial_json"] for event in events if event["type"] == "content_block_delta"]
    assert opened == block | {"input": {}}
    assert pieces[0] == "" and len(pieces) > 3 and json.loads("".join(pieces)) == asked


def test_text_and_input_come_in_pieces():
    deltas = [event["delta"] for event in stream(answered(weather())) if event["type"] == "content_block_delta"]
    assert sum(delta["type"] == "text_delta" for delta in deltas) > 1
    deltas = [event["delta"] for event in stream(weather()) if event["type"] == "content_block_delta"]
    pieces = [delta["partial_json"] for delta in deltas if delta["type"] == "input_json_delta"]
    assert len(pieces) > 2 and pieces[0] == ""
    for piece in pieces:
        with pytest.raises(ValueError):
            json.loads(piece)
    assert json.loads("".join(pieces)) == {"city": "Austin"}


def test_the_start_of_a_stream_knows_neither_content_nor_end():
    start = stream(weather())[0]["message"]
    assert (start["content"], start["stop_reason"], start["stop_sequence"]) == ([], None, None)
    assert start["usage"]["input_tokens"] > 0


# --- thinking --------------------------------------------------------------------------------------------------------


def kinds(reply):
    return [block["type"] for block in reply["content"]]


def test_a_model_that_thinks_by_itself_thinks_before_it_calls_and_not_before_it_answers():
    assert kinds(message(weather()))[0] == "thinking"
    assert kinds(message(answered(weather()))) == ["text"]


def test_a_model_that_does_not_thinks_only_when_asked():
    assert "thinking" not in kinds(message(weather(model="claude-haiku-4-5")))
    asked = weather(model="claude-haiku-4-5", max_tokens=4000, thinking={"type": "enabled", "budget_tokens": 2000})
    assert kinds(message(asked))[0] == "thinking"
    assert kinds(message(answered(asked)))[0] == "thinking"


def test_thinking_can_be_turned_off():
    assert "thinking" not in kinds(message(weather(model="claude-haiku-5-5", thinking={"type": "disabled"})))


def test_thinking_is_shown_on_demand_and_counted_either_way():
    hidden = message(weather())
    shown = message(weather(thinking={"type": "adaptive", "display": "summarized"}))
    assert hidden["content"][0]["thinking"] == ""
    assert shown["content"][0]["thinking"]
    assert hidden["usage"]["output_tokens_details"]["thinking_tokens"] > 0
    assert hidden["usage"] == shown["usage"]


def test_a_small_limit_can_be_used_up_by_thinking():
    reply = message(weather(max_tokens=3))
    assert (kinds(reply), reply["stop_reason"]) == (["thinking"], "max_tokens")


def test_a_signature_holds_for_its_text_and_its_conversation():
    body = weather(thinking={"type": "adaptive", "display": "summarized"})
    block = message(body)["content"][0]
    prefix = ids.conversation(body)
    assert ids.verify(block["signature"], block["thinking"], prefix) == "valid"
    assert ids.verify(block["signature"], block["thinking"]) == "valid"
    assert ids.verify(block["signature"], block["thinking"] + "!", prefix) == "invalid"
    assert ids.verify("c2lnbmVk", block["thinking"], prefix) == "invalid"
    assert ids.verify("not base64 ü", block["thinking"], prefix) == "invalid"
    elsewhere = ids.conversation(weather("What should I wear in Oslo?"))
    assert ids.verify(block["signature"], block["thinking"], elsewhere) == "other_conversation"


def test_a_replayed_block_finds_the_prefix_that_it_was_signed_for():
    body = answered(weather())
    block = body["messages"][1]["content"][0]
    assert ids.verify(block["signature"], "", ids.prefixes(body)[1, 0]) == "valid"


@pytest.mark.parametrize(
    "change, verdict",
    [
        (lambda body: body.update(system="changed"), "other_conversation"),
        (lambda body: body.update(tools=[]), "other_conversation"),
        (lambda body: body["messages"][0].update(content="Other words"), "other_conversation"),
        (lambda body: body.update(max_tokens=77, stream=True), "valid"),
        (lambda body: body.update(tools=[WEATHER | {"cache_control": {"type": "ephemeral"}}]), "valid"),
        (
            lambda body: body.update(messages=[{"role": "user", "content": [_text(body)]}, *body["messages"][1:]]),
            "valid",
        ),
        (lambda body: body["messages"].append({"role": "user", "content": "And then?"}), "valid"),
    ],
)
def test_what_unbinds_a_thinking_block(change, verdict):
    body = json.loads(json.dumps(answered(weather())))
    signature = body["messages"][1]["content"][0]["signature"]
    change(body)
    assert ids.verify(signature, "", ids.prefixes(body)[1, 0]) == verdict


def _text(body):
    return {"type": "text", "text": body["messages"][0]["content"], "cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize("value", [{"a": [1, 1.5, None, True, 'ü 好 \u2028 " \\ \x7f']}, 10**40, -(2**70), "👋"])
def test_json_is_written_alike_with_and_without_orjson(value):
    assert jsontext.dumps(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def test_deep_json_is_written_too():
    deep = []
    for _ in range(400):
        deep = [deep]
    assert jsontext.dumps(deep) == b"[" * 401 + b"]" * 401


# --- ids and counts --------------------------------------------------------------------------------------------------


def test_ids_are_shaped_like_the_real_ones_and_all_different():
    body = weather("What should I wear in Oslo and Berlin?")
    seen = []
    for _ in range(2):
        reply = message(body)
        assert re.fullmatch(r"msg_01[1-9A-HJ-NP-Za-km-z]{22}", reply["id"])
        seen.append(reply["id"])
        for block in reply["content"]:
            if block["type"] == "tool_use":
                assert re.fullmatch(r"toolu_01[1-9A-HJ-NP-Za-km-z]{22}", block["id"])
                seen.append(block["id"])
        body = answered(body)
        body["messages"].append({"role": "user", "content": "And in Chengdu and Austin?"})
    assert len(set(seen)) == len(seen) >= 4


def test_count_tokens_agrees_with_the_usage_of_the_reply():
    body = answered(weather())
    counted = {key: value for key, value in body.items() if key != "max_tokens"}
    response, data = ask(counted, path="/v1/messages/count_tokens")
    assert response.status == 200
    assert json.loads(data) == {"input_tokens": message(body)["usage"]["input_tokens"]}


def test_estimates_are_plausible():
    assert 1.0 <= tokens.text("The quick brown fox jumps over the lazy dog. " * 100) / 1000 <= 1.4
    assert 0.5 <= tokens.text("今天的天气很好，我们去公园散步吧。" * 100) / 1700 <= 1.5
    assert tokens.text("") == 0
    assert tokens.request(weather()) > tokens.request({"messages": weather()["messages"]}) + 300


def test_without_a_memory_every_token_is_input():
    system = [{"type": "text", "text": "Be brief. " * 1000, "cache_control": {"type": "ephemeral"}}]
    usage = message(weather(system=system))["usage"]
    assert usage["input_tokens"] > 2500
    assert (usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]) == (0, 0)


def test_an_image_counts_by_its_size_in_pixels_not_in_letters():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 1_000_000}}
    assert tokens.block(image) < 3000


# --- models ----------------------------------------------------------------------------------------------------------


def test_the_list_of_models_in_pages():
    everything = [model.id for model in models.all_models()]
    status, first = get("/v1/models?limit=5")
    assert status == 200
    assert [row["id"] for row in first["data"]] == everything[:5]
    assert (first["has_more"], first["first_id"], first["last_id"]) == (True, everything[0], everything[4])
    _, second = get(f"/v1/models?limit=1000&after_id={first['last_id']}")
    assert [row["id"] for row in second["data"]] == everything[5:]
    assert second["has_more"] is False
    _, back = get(f"/v1/models?limit=2&before_id={everything[4]}")
    assert [row["id"] for row in back["data"]] == everything[2:4]
    assert back["has_more"] is True
    _, nothing = get(f"/v1/models?after_id={everything[-1]}")
    assert nothing == {"data": [], "has_more": False, "first_id": None, "last_id": None}


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "limit=x", "limit=-1", "limit=" + "9" * 5000, "after_id=no"]
)
def test_a_wrong_query_is_a_400(query):
    assert get(f"/v1/models?{query}")[0] == 400


def test_one_model_by_id_and_by_alias():
    status, model = get("/v1/models/claude-haiku-4-5")
    assert (status, model["id"]) == (200, "claude-haiku-4-5-20251001")
    status, error = get("/v1/models/claude-nope-9")
    assert (status, error["error"]) == (404, {"type": "not_found_error", "message": "model: claude-nope-9"})


def test_a_reply_names_the_model_that_an_alias_stands_for():
    assert message(weather(model="claude-haiku-4-5"))["model"] == "claude-haiku-4-5-20251001"


# --- compressed bodies -----------------------------------------------------------------------------------------------


def test_unpacking_takes_no_more_memory_than_the_limit_allows():
    bomb = gzip.compress(b" " * (6 * MAX_BODY), compresslevel=9)
    tracemalloc.start()
    try:
        response = handle("POST", "/v1/messages", HEADERS | {"content-encoding": "gzip"}, bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert response.status == 413
    assert peak < 3 * MAX_BODY


@pytest.mark.parametrize("turns", [1, 200], ids=["one turn", "many turns"])
def test_the_work_grows_with_the_conversation_and_no_faster(turns):
    """Function calls are counted, which are the same on any machine. 8,000 pairs once took seconds."""

    def work(pairs):
        history = weather()["messages"]
        for turn in range(turns):
            ids_ = [f"toolu_{turn}_{number}" for number in range(pairs // turns)]
            use = {"type": "tool_use", "name": "get_weather", "input": {"city": "Oslo"}}
            history.append({"role": "assistant", "content": [use | {"id": each} for each in ids_]})
            results = [{"type": "tool_result", "tool_use_id": each, "content": "41F"} for each in ids_]
            history.append({"role": "user", "content": results})
        body = json.dumps(weather() | {"messages": history}).encode()
        counted = cProfile.Profile()
        assert counted.runcall(handle, "POST", "/v1/messages", HEADERS, body).status == 200
        return pstats.Stats(counted).total_calls

    work(200)  # what is made once
    assert work(800) / work(400) < 2.2
