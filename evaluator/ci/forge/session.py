"""A session of requests that sends the token, and to the address that was asked for alone."""

import requests


class Session(requests.Session):
    """Never prepares to follow a redirect: requests would read the whole of it, without bound."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: no redirect is followed."""


class Bearer(requests.auth.AuthBase):
    """Sets the token; without it requests would put in its place what ~/.netrc says."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request
