"""What abviz promises, room by room: `test_NAME.py` is about `abviz/NAME.py`."""
