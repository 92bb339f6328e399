"""Other programs' memory interfaces on a scrubjay store, for people who build agents.

`memory_tool`: the commands of Anthropic's memory tool (`view`, `create`, `str_replace`, `insert`, `delete`, `rename`).
"""
