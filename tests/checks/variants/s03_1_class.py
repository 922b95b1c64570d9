import datetime

import anthropic
from course import load_env

load_env()


class Agent:
    tools = [
        {
            "name": "create_calendar_event",
            "description": "Put an event into the user's calendar and invite people.",
            "input_schema": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "start": {"type": "string", "format": "date-time"},
                    "end": {"type": "string", "format": "date-time"},
                    "attendees": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["title", "start", "end"],
            },
        }
    ]

    def __init__(self):
        self.client = anthropic.Anthropic()
        self.history = []

    def say(self, text):
        self.history += [{"role": "user", "content": [{"type": "text", "text": text}]}]
        while True:
            reply = self.client.messages.create(
                model="claude-sonnet-5-5",
                max_tokens=2000,
                system=[{"type": "text", "text": f"Today is {datetime.date.today():%B %d, %Y}."}],
                tools=self.tools,
                messages=self.history,
            )
            self.history += [{"role": reply.role, "content": reply.content}]
            answers = [
                {"type": "tool_result", "tool_use_id": block.id, "content": f"Created {block.input['title']}"}
                for block in reply.content
                if block.type == "tool_use"
            ]
            if not answers:
                return "".join(block.text for block in reply.content if block.type == "text")
            self.history += [{"role": "user", "content": answers}]


agent = Agent()
print(agent.say("Book a 30-minute sync with ana@example.com tomorrow at 10:00."))
print(agent.say("The same again one day later."))
