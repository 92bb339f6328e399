"""Files that are put into agents as they are here: they hand an agent's events on to our hook, and its answers back.

None of them is ever loaded by scrubjay itself.
"""
