"""Older and other official SDKs against the stand-in: Python SDK 0.x and 1.x, the TypeScript SDK with its tool runner.

Each is installed once, into pytest's cache folder or COURSE_TEST_CACHE, by uv or npm.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course.standin.app import create_app
from course.standin.core import handle
from course.standin.server import start
from tests.environments import environment, install

pytestmark = pytest.mark.extra

OLD_SDKS = ["0.42.0", "0.75.0", "1.17.0"]  # one of 2024, one of 2025, the last before 2.0
TYPESCRIPT_SDK = "1.14.0"


@pytest.fixture
def server():
    """A running stand-in; `seen` holds the exchanges of the test."""
    seen = []
    running = start(lambda: create_app(handle, seen.append))
    running.seen = seen
    yield running
    running.stop()


@pytest.fixture(scope="session")
def cache(request):
    chosen = os.environ.get("COURSE_TEST_CACHE")
    return Path(chosen) if chosen else Path(request.config.cache.mkdir("clients"))


def run(command, **more):
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python_with(cache, version):
    """The interpreter of an environment with this version of the SDK."""
    folder = cache / f"anthropic-{version}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "ready"
    if not ready.exists():
        environment(folder)
        # SDK 0.42 was written for httpx below 0.28.
        more = ["httpx<0.28"] if version.startswith("0.4") else []
        install(python, f"anthropic=={version}", *more)
        ready.touch()
    return python


PYTHON = """
import json, os, sys
import anthropic
client = anthropic.Anthropic(base_url=sys.argv[1], api_key="key", max_retries=0)
tools = [{"name": "get_weather", "description": "Get today's weather in one city.", "input_schema": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]
ask = {"model": sys.argv[2], "max_tokens": 1000, "tools": tools}
messages = [{"role": "user", "content": "What should I wear in Oslo and Berlin?"}]
reasons = []
def plain(message):
    # SDKs between 0.75 and 1.17 add a field of their own to streamed text blocks, with None in it.
    blocks = [{key: value for key, value in block.to_dict().items() if value is not None} for block in message.content]
    return message.id, blocks, message.stop_reason
for turn in range(4):
    reply = client.messages.create(messages=messages, **ask)
    with client.messages.stream(messages=messages, **ask) as stream:
        streamed = stream.get_final_message()
    assert plain(streamed) == plain(reply)
    reasons.append(reply.stop_reason)
    messages.append({"role": "assistant", "content": reply.content})
    if reply.stop_reason != "tool_use":
        break
    messages.append({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": block.id, "content": "41F, rain"}
        for block in reply.content if block.type == "tool_use"]})
beta = client.beta.messages.create(messages=messages[:1], **ask)
count = client.messages.count_tokens(model="claude-sonnet-5-5", messages=messages[:1]).input_tokens
models = len(list(client.models.list(limit=5)))
try:
    client.messages.create(messages=[], **ask)
except anthropic.BadRequestError as error:
    refused = error.status_code
print(json.dumps([reasons, beta.stop_reason, count > 0, models > 5, refused]))
"""


@pytest.mark.parametrize("version", OLD_SDKS)
def test_an_older_python_sdk(cache, server, version, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PYTHON, encoding="utf-8")
    # The SDK of 2024 does not know thinking blocks, and loses their signatures when it joins a stream.
    model = "claude-haiku-4-5" if version.startswith("0.4") else "claude-sonnet-5-5"
    command = [python_with(cache, version), script, server.base_url, model]
    out = run(command, cwd=tmp_path, env=os.environ | {"NO_PROXY": "*"})
    assert json.loads(out) == [["tool_use", "end_turn"], "tool_use", True, True, 400]
    assert {each.headers["anthropic-version"] for each in server.seen} == {"2023-06-01"}
    assert all("x-api-key" in each.headers for each in server.seen)
    assert any(each.path == "/v1/messages?beta=true" for each in server.seen)


TYPESCRIPT = """
import { isDeepStrictEqual } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';

const client = new Anthropic({ baseURL: process.argv[2], apiKey: 'key', maxRetries: 0 });
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const description = "Get today's weather in one city.";
const ask = { model: 'claude-sonnet-5-5', max_tokens: 1000 };
const messages = [{ role: 'user', content: 'What should I wear in Oslo and Berlin?' }];
const tools = [{ name: 'get_weather', description, input_schema: schema }];

const reasons = [];
const history = [...messages];
for (let turn = 0; turn < 4; turn++) {
  const reply = await client.messages.create({ ...ask, tools, messages: history });
  const streamed = await client.messages.stream({ ...ask, tools, messages: history }).finalMessage();
  if (!isDeepStrictEqual(reply.content, streamed.content)) throw new Error('stream differs');
  reasons.push(reply.stop_reason);
  history.push({ role: 'assistant', content: reply.content });
  if (reply.stop_reason !== 'tool_use') break;
  const calls = reply.content.filter((block) => block.type === 'tool_use');
  history.push({
    role: 'user',
    content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: '41F, rain' })),
  });
}

const weather = betaTool({
  name: 'get_weather', description, inputSchema: schema, run: ({ city }) => `Weather in ${city}: 41F, rain`,
});
const last = await client.beta.messages.toolRunner({ ...ask, messages, tools: [weather] });
const streamed = [];
for await (const stream of client.beta.messages.toolRunner({ ...ask, messages, tools: [weather], stream: true })) {
  streamed.push((await stream.finalMessage()).stop_reason);
}

const count = (await client.messages.countTokens({ model: ask.model, messages })).input_tokens;
let models = 0;
for await (const model of client.models.list({ limit: 5 })) models++;
let refused = 0;
try {
  await client.messages.create({ ...ask, messages: [] });
} catch (error) {
  refused = error.status;
}
console.log(JSON.stringify([reasons, last.stop_reason, streamed, count > 0, models > 5, refused]));
"""


def test_the_typescript_sdk_and_its_tool_runner(cache, server):
    node, npm = shutil.which("node"), shutil.which("npm")
    assert node and npm, "Node.js is needed: see CONTRIBUTING.md"
    folder = cache / f"typescript-{TYPESCRIPT_SDK}"
    if not (folder / "node_modules" / "@anthropic-ai" / "sdk").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", f"@anthropic-ai/sdk@{TYPESCRIPT_SDK}"]
        run([*install, "--prefix", str(folder)], cwd=folder)
    script = folder / "script.mjs"
    script.write_text(TYPESCRIPT, encoding="utf-8")
    out = run([node, script, server.base_url], cwd=folder)
    assert json.loads(out) == [["tool_use", "end_turn"], "end_turn", ["tool_use", "end_turn"], True, True, 400]
