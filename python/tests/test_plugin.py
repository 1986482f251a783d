"""Run with ``svc dev exec --fresh --plan none -- python3 -m pytest python/tests``."""

import os
import re
import smtplib
from email.message import EmailMessage

import pytest

import pytest_svc

pytest_plugins = "pytester"


def send(to, subject, text, html=None, attachment=None, cc=None):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Shop <shop@example.test>", to, subject
    if cc:
        message["Cc"] = cc
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    if attachment:
        message.add_attachment(attachment, maintype="text", subtype="csv", filename="orders.csv")
    with smtplib.SMTP(os.environ["SVC_SMTP_HOST"], int(os.environ["SVC_SMTP_PORT"])) as smtp:
        smtp.send_message(message)


def test_an_email_has_its_link_code_and_attachment(inbox):
    html = '<a href="https://shop.example/unsubscribe">Unsubscribe</a> <a href="https://shop.example/verify?t=1">Confirm</a>'
    send(inbox.address, "Confirm", "Your code: 482913", html, b"1,2\n")

    email = inbox.wait_for("subject:confirm has:link")

    assert email["text"].strip() == "Your code: 482913"
    assert email.code() == "482913"
    assert email.link() == "https://shop.example/verify?t=1"
    assert email.link("Unsub") == email.link(kind="unsubscribe") == "https://shop.example/unsubscribe"
    assert email.link(re.compile(r"t=\d")) == "https://shop.example/verify?t=1"
    assert email.header("from") == "Shop <shop@example.test>"
    assert email.attachment() == email.attachment("orders.csv") == b"1,2\n"
    assert b"Subject: Confirm\r\n" in email.raw()


def test_what_an_email_does_not_have_is_named(inbox):
    send(inbox.address, "Order", "See https://shop.example/orders/1")
    email = inbox.wait_for()

    with pytest.raises(AssertionError, match=r"has no link of kind 'reset'\.\n  https://shop.example/orders/1"):
        email.link(kind="reset")
    with pytest.raises(AssertionError, match="has no one-time code. Its text:\nSee https"):
        email.code()
    with pytest.raises(AssertionError, match="has no attachment a.pdf. Its attachments: none."):
        email.attachment("a.pdf")


def test_an_inbox_has_copies_and_no_email_of_others(inbox, svc):
    other = svc.inbox()
    send(other.address, "First", "Text", cc=inbox.address)
    send(other.address, "Second", "Text")

    assert [each["subject"] for each in other.wait_for_count(2)] == ["First", "Second"]
    assert [each["subject"] for each in inbox.all()] == ["First"]
    assert len(svc.emails.all(f'to:"{other.address}"')) == 2
    inbox.wait_for_none("subject:second")
    assert other.clear() == 2
    assert other.all() == inbox.all() == []


def test_the_next_email_is_found_after_the_last(inbox):
    send(inbox.address, "One", "Text")
    first = inbox.wait_for()

    with pytest.raises(pytest_svc.WaitError):
        inbox.wait_for(timeout=0.05, since=first)
    send(inbox.address, "Two", "Text")
    assert inbox.wait_for(since=first)["subject"] == "Two"


def test_a_failed_wait_names_what_arrived(inbox):
    send(inbox.address, "Welcome", "Text")
    inbox.wait_for()

    with pytest.raises(pytest_svc.WaitError) as failure:
        inbox.wait_for("subject:reset OR subject:lost", timeout=0.05)

    lines = str(failure.value).splitlines()
    assert lines[0] == "Timed out after 0.05s waiting for an email."
    assert f"Inbox: {inbox.address}" in lines
    assert any(re.fullmatch(rf'  msg_\w+ to {inbox.address}: "Welcome"', line) for line in lines)
    assert any("subject:reset" in line and "found: Welcome" in line for line in lines)
    assert failure.value.near_misses[0]["subject"] == "Welcome"
    with pytest.raises(pytest_svc.WaitError, match="An email matches, and none should"):
        inbox.wait_for_none("subject:welcome")


def test_the_service_is_called(svc):
    name = "welcome-to-pytest"
    template = {"name": name, "subject": "Hi", "html": "<p>Hi {{name}}</p>", "text": "Hi {{name}}"}
    assert svc.call("POST", "/v1/templates", template)["name"] == name

    with pytest.raises(pytest_svc.SvcError, match="limit: .+ error.details lists each") as failure:
        svc.call("GET", "/v1/emails?limit=0")
    assert (failure.value.status, failure.value.code) == (400, "validation_error")


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(pytest_svc.SvcError, match=r"Cannot connect to the server at http://127\.0\.0\.1:9/v1"):
        pytest_svc.Server("http://127.0.0.1:9/v1", "svc_test_none", "start").emails.all()


def test_the_report_of_a_failed_test_shows_its_email(pytester):
    pytester.makepyfile(
        """
        import os, smtplib

        def test_fails(inbox):
            with smtplib.SMTP(os.environ["SVC_SMTP_HOST"], int(os.environ["SVC_SMTP_PORT"])) as smtp:
                smtp.sendmail("a@example.test", inbox.address, "Subject: Hello\\n\\nThe text of it")
            assert inbox.wait_for()["subject"] == "Bye"
        """
    )

    result = pytester.runpytest_subprocess()

    result.stdout.fnmatch_lines(["*Captured email*", "msg_* to inbox-*@example.test: *Hello*", "The text of it"])


def test_without_a_server_the_command_that_starts_one_is_named(pytester, monkeypatch):
    monkeypatch.delenv("SVC_BASE_URL")
    pytester.makepyfile("def test_it(inbox): pass")

    result = pytester.runpytest_subprocess()

    result.stdout.fnmatch_lines(["*SVC_BASE_URL is not set. Run the tests with: svc dev exec --fresh -- pytest"])
