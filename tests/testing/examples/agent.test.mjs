import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { ask } from './agent.mjs';

const baseURL = `http://127.0.0.1:${readFileSync('port', 'utf8').trim()}`;
const claude = (headers) => new Anthropic({ baseURL, apiKey: 'test', defaultHeaders: headers });

test('both calls are answered', async () => {
  const replies = "get_weather(city='Oslo') get_weather(city='Berlin'); 'Cold in both.'";
  const reply = await ask('Oslo or Berlin?', claude({ 'x-course-replies': replies }));
  assert.equal(reply.content.at(-1).text, 'Cold in both.');
});

test('an overloaded API is asked again', async () => {
  const reply = await ask('Oslo?', claude({ 'x-course-replies': "'Cold.'", 'x-course-fault': 'overloaded:1' }));
  assert.equal(reply.content.at(-1).text, 'Cold.');
});

test('other letters', async () => {
  const replies = "utf-8''" + encodeURIComponent("'两地都冷。'");
  const reply = await ask('奥斯陆？', claude({ 'x-course-replies': replies }));
  assert.equal(reply.content.at(-1).text, '两地都冷。');
});
