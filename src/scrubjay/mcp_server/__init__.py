"""The memory as a server of the Model Context Protocol (`jay mcp`), on the official SDK (`scrubjay[mcp]`).

`tools` says what is offered, `desk` and `words` do it and know nothing of the protocol, `server` speaks it, `http` guards
the port. Nothing here is loaded by hooks.
"""
