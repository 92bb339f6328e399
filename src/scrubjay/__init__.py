"""scrubjay: one long-term memory for all of a person's coding agents.

Importing the package imports nothing else: agents' hooks load it on every prompt. The public library interface is in
`scrubjay.api`.
"""

__version__ = "0.1.0"
