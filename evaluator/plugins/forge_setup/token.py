"""Where a person makes the token that sets up a repository, with the rights that it needs."""

import urllib.parse

from evaluator.core.errors import UsageError

_PERMISSIONS = {
    "administration": "write", "issues": "write", "pages": "write", "environments": "write",
    "actions": "read",
}  # fmt: skip
"""Of the token, as the address of the page that makes one names them."""


def token_address(address: str) -> str:
    """Return the page of a repository's forge that makes tokens; on GitHub all is ticked there.

    Raises UsageError for an address that is none of a repository.
    """
    parts = urllib.parse.urlsplit(address)
    owner, _, name = parts.path.strip("/").partition("/")
    if not parts.netloc or not name or "/" in name:
        raise UsageError(
            f"'{address}' is not the address of a repository",
            hint='Set it in pyproject.toml: [tool.pullbench] forge = "https://HOST/OWNER/NAME".',
        )
    server = f"{parts.scheme}://{parts.netloc}"
    if "github" not in parts.netloc:
        return f"{server}/user/settings/applications"
    given = {"name": "pullbench setup", "target_name": owner, "expires_in": "1", **_PERMISSIONS}
    return f"{server}/settings/personal-access-tokens/new?{urllib.parse.urlencode(given)}"
