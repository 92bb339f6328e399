"""The MCP server: what its tools do, and real servers with the client of the SDK."""
