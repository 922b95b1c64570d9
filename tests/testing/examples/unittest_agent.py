import unittest

import agent

from course.testing import claude


class AgentTest(unittest.TestCase):
    def setUp(self):
        self.claude = self.enterContext(claude())

    def test_both_calls_are_answered(self):
        self.claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
        agent.ask("Oslo or Berlin?")
        self.assertEqual(len(self.claude.results), 2)
