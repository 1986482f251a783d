"""Fixtures of pytest that wait for the email an application sends to a local svc server.

Run the tests with ``svc dev exec --fresh -- pytest``, which sets the variables that tell them the server's address.
"""

import json
import os
import re
import secrets
import urllib.error
import urllib.request
from datetime import datetime, timezone

import pytest

#: Seconds that a wait lasts.
WAIT_SECONDS = 4.0
ABSENT_SECONDS = 0.5
#: Emails that one call returns.
EMAILS_MAX = 1000
#: Seconds that the server may take longer than a wait, to parse what it has accepted.
SLACK_SECONDS = 60


class SvcError(Exception):
    """An answer of the server that is an error. ``status`` is the HTTP status, ``code`` the code of the service."""

    def __init__(self, message, status=None, code=None):
        super().__init__(message)
        self.status = status
        self.code = code


class WaitError(AssertionError):
    """A wait that failed. ``near_misses`` are emails that arrived and do not match, the closest first."""

    def __init__(self, message, near_misses=()):
        super().__init__(message)
        self.near_misses = list(near_misses)


class Server:
    """A local server.

    ``since`` is the start of the window of waits: ``start``, a time, a duration such as ``60s`` or a cursor.
    """

    def __init__(self, base_url, api_key, since):
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key
        self.since = since

    @property
    def emails(self):
        """The inbox of all addresses."""
        return Inbox(self, None)

    def inbox(self, address=None):
        """Returns the inbox of an address; of a new one without an argument."""
        return Inbox(self, address or f"inbox-{secrets.token_hex(8)}@example.test")

    def advance(self, duration):
        """Advances the server's clock by a duration such as ``1h``."""
        return self.call("POST", "/_svc/clock/advance", {"by": duration})

    def call(self, method, path, body=None):
        """Calls an endpoint such as ``/v1/templates`` or ``/_svc/rules``. Returns the response's ``data``."""
        content = self.download(path, method, body)
        return json.loads(content)["data"] if content else None

    def download(self, path, method="GET", body=None, timeout=SLACK_SECONDS):
        """Returns the bytes of a response. Raises SvcError for an error."""
        request = urllib.request.Request(
            re.sub(r"/v1$", "", self.base_url) + path,
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return response.read()
        except urllib.error.HTTPError as failure:
            raise _error_of(failure) from None
        except urllib.error.URLError as failure:
            raise SvcError(f"Cannot connect to the server at {self.base_url}: {failure.reason}") from None


class Inbox:
    """The emails to an address in To, Cc or Bcc, or to all addresses without one."""

    def __init__(self, server, address):
        self.server = server
        self.address = address

    def wait_for(self, query="", timeout=WAIT_SECONDS, since=None):
        """Returns the newest email that matches a query, such as ``subject:confirm has:link``.

        An email that arrived before the call is found too. To wait for the next one, pass the last one as ``since``.
        Raises WaitError after ``timeout`` seconds.
        """
        return self._wait(query, timeout, since, 1)[0]

    def wait_for_count(self, count, query="", timeout=WAIT_SECONDS, since=None):
        """Returns ``count`` emails that match, oldest first. Raises WaitError after ``timeout`` seconds."""
        return self._wait(query, timeout, since, count)[::-1]

    def wait_for_none(self, query="", timeout=ABSENT_SECONDS, since=None):
        """Raises WaitError if an email matches within ``timeout`` seconds."""
        found = self._search(query, timeout, since, absent=True)
        if not found["matched"]:
            emails = "\n".join(f"  {Email(self.server, each)}" for each in found["emails"][:5])
            raise WaitError(f"An email matches, and none should.\n\n{self._described(query)}\n\nIt matches:\n{emails}")

    def all(self, query=""):
        """Returns the emails that match now, oldest first, at most 1,000."""
        found = self._search(query, 0.001, None, min=1, max=EMAILS_MAX)
        if found["total"] > EMAILS_MAX:
            raise SvcError(f"More than {EMAILS_MAX} emails match. Narrow the query, or delete emails first.")
        return [Email(self.server, each) for each in found["emails"]][::-1]

    def clear(self):
        """Deletes the emails. Returns their number."""
        body = {"all": True} if self.address is None else {"search": self._full("")}
        return self.server.call("POST", "/_svc/emails/delete", body)["deleted"]

    def _wait(self, query, timeout, since, count):
        found = self._search(query, timeout, since, min=count)
        if found["matched"]:
            return [Email(self.server, each) for each in found["emails"]]
        wanted = "an email" if count == 1 else f"{count} emails, {found['total']} matched"
        lines = [f"Timed out after {timeout:g}s waiting for {wanted}.", "", self._described(query), ""]
        misses = found["near_misses"]
        if misses:
            lines.append("These emails arrived and do not match, closest first:")
            lines += [f"  {line}" for miss in misses for line in _near_miss(miss)]
        else:
            lines.append("No other email arrived." if found["total"] else "No email arrived.")
        raise WaitError("\n".join(lines), misses)

    def _search(self, query, timeout, since, **options):
        body = {
            "query": self._full(query),
            "timeout_ms": max(1, round(timeout * 1000)),
            "since": since["cursor"] if isinstance(since, Email) else since or self.server.since,
            **options,
        }
        answer = self.server.download("/_svc/emails/wait", "POST", body, timeout + SLACK_SECONDS)
        return json.loads(answer)["data"]

    def _full(self, query):
        own = "" if self.address is None else f'to:"{self.address}"'
        return f"{own} ({query})" if own and query else own or query

    def _described(self, query):
        own = "" if self.address is None else f"Inbox: {self.address}\n"
        return f"{own}Query: {query or 'any email'}"


class Email(dict):
    """A captured email: the fields of ``GET /_svc/emails/{id}/captured``, such as ``email["subject"]``."""

    def __init__(self, server, fields):
        super().__init__(fields)
        self.server = server

    def __str__(self):
        to = [each["address"] for each in self["recipients"]] or ["no one"]
        more = "" if len(to) == 1 else f" and {len(to) - 1} other{'s' if len(to) > 2 else ''}"
        return f"{self['id']} to {to[0]}{more}: {_quoted(self['subject'])}"

    def link(self, pattern=None, kind=None):
        """Returns the URL of the first link, without svc's tracking.

        ``pattern`` is a part of its URL or text, or a compiled regular expression. ``kind`` is such as ``verify``,
        ``reset`` or ``unsubscribe``. Raises AssertionError with the email's links if none matches.
        """
        links = [each for each in self["links"] if _matches(each, pattern) and kind in (None, each["kind"])]
        if pattern is None and kind is None:
            links.sort(key=lambda each: each["kind"] == "unsubscribe")
        if links:
            return links[0]["href"]
        known = [f"  {each['href']}  {_quoted(each['text'])} ({each['kind']})" for each in self["links"]]
        wanted = {"like": pattern, "of kind": kind}
        which = "".join(f" {name} {value!r}" for name, value in wanted.items() if value is not None)
        raise AssertionError("\n".join([f"{self} has no link{which}.", *(known or ["It has no links."])]))

    def code(self):
        """Returns the one-time code. Raises AssertionError with the text if the email has none."""
        if self["codes"]:
            return max(self["codes"], key=lambda each: each["confidence"])["value"]
        raise AssertionError(f"{self} has no one-time code. Its text:\n{self['text']}")

    def header(self, name):
        """Returns the decoded value of the first field of this name; None without one."""
        return next((each["value"] for each in self["headers"] if each["name"].lower() == name.lower()), None)

    def attachment(self, filename=None):
        """Returns the bytes of an attachment; of the first one without an argument."""
        for each in self["attachments"]:
            if filename in (None, each["filename"]):
                return self.server.download(f"/_svc/emails/{self['id']}/attachments/{each['index']}")
        names = ", ".join(each["filename"] for each in self["attachments"]) or "none"
        raise AssertionError(f"{self} has no attachment {filename or ''}. Its attachments: {names}.")

    def raw(self):
        """Returns the bytes of the message."""
        return self.server.download(f"/_svc/emails/{self['id']}/raw")


@pytest.fixture(scope="session")
def svc():
    """The server of ``svc dev exec``, or of ``SVC_BASE_URL`` and ``SVC_API_KEY``."""
    missing = [name for name in ("SVC_BASE_URL", "SVC_API_KEY") if not os.environ.get(name)]
    if missing:
        pytest.fail(f"{missing[0]} is not set. Run the tests with: svc dev exec --fresh -- pytest", pytrace=False)
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Server(os.environ["SVC_BASE_URL"], os.environ["SVC_API_KEY"], os.environ.get("SVC_SINCE") or now)


@pytest.fixture
def inbox(svc):
    """The inbox of an address that no other test has: ``inbox.address``."""
    return svc.inbox()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds what the inbox of a failed test received to its report."""
    report = (yield).get_result()
    used = getattr(item, "funcargs", {}).get("inbox")
    if report.when == "call" and report.failed and isinstance(used, Inbox):
        try:
            emails = used.all()
        except SvcError as failure:
            report.sections.append(("Captured email", str(failure)))
            return
        shown = "\n\n".join(f"{each}\n{each['text'] or each['html_text']}".rstrip() for each in emails)
        report.sections.append(("Captured email", shown or f"No email to {used.address}."))


def _quoted(text):
    return json.dumps(text, ensure_ascii=False)


def _matches(link, pattern):
    if pattern is None:
        return True
    if isinstance(pattern, re.Pattern):
        return bool(pattern.search(link["href"]) or pattern.search(link["text"]))
    return pattern in link["href"] or pattern in link["text"]


def _near_miss(miss):
    yield f"{miss['id']} to {miss['to']}: {_quoted(miss['subject'])}"
    for each in miss["failed"]:
        yield f"  {each['condition']}  found: {' '.join(each['actual'].split())}"


def _error_of(failure):
    try:
        error = json.loads(failure.read())["error"]
        return SvcError(" ".join(filter(None, [error["message"], error.get("hint")])), failure.code, error["code"])
    except (ValueError, KeyError, TypeError):
        return SvcError(f"The server answered with status {failure.code}.", failure.code)
