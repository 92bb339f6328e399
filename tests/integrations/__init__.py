"""Other programs' memory interfaces."""
