"""What the hook of one agent needs beside the common way in `hook.py`. Hot: standard library only."""
