const tools = [
  {
    name: 'get_weather',
    description: "Get today's weather in one city.",
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

export async function ask(prompt, client) {
  const messages = [{ role: 'user', content: prompt }];
  for (;;) {
    const reply = await client.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 1000, tools, messages });
    messages.push({ role: 'assistant', content: reply.content });
    if (reply.stop_reason !== 'tool_use') return reply;
    const calls = reply.content.filter((block) => block.type === 'tool_use');
    const results = calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: `41F in ${input.city}` }));
    messages.push({ role: 'user', content: results });
  }
}
