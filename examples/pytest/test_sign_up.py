from urllib.parse import parse_qs, urlsplit

import app


def test_the_link_confirms_the_address(wait_for_email):
    app.sign_up("ada@example.test")

    email = wait_for_email("to:ada@example.test subject:confirm has:link")

    link = email["links"][0]["href"]
    assert app.confirm(parse_qs(urlsplit(link).query)["key"][0]) == "ada@example.test"


def test_the_code_confirms_the_address(wait_for_email):
    app.sign_up("bob@example.test")

    email = wait_for_email("to:bob@example.test has:code", timeout_ms=5_000)

    assert app.confirm(email["codes"][0]["value"]) == "bob@example.test"
