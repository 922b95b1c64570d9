"""The stand-in: a local server that plays Claude for the course, as strict as the API, with no key and no network.

It is not Claude. `core` answers one request, purely; `rules` say what is refused, `replies` what is said;
`app` and `server` put it behind real HTTP.
"""
