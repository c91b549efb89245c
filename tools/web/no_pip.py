"""What `%pip` calls in JupyterLite: everything that can be had there is there."""

import sys

SAID = "Nothing can be installed here: what the course needs is there already."


async def get_transformed_code(arguments: list[str]) -> str:
    """Return the code that takes the place of a line with %pip."""
    print(SAID, file=sys.stderr)
    return ""
