"""Sends a message with smtplib over TLS, LMTP or a log-in, and prints as JSON what happened.

Arguments: how (starttls, tls, plain, lmtp, lmtp-socket), host, port, the file of a CA or "-", and user and password or
nothing.
"""

import json
import smtplib
import ssl
import sys

how, host, port, ca, *login = sys.argv[1:]
context = ssl.create_default_context(cafile=None if ca == "-" else ca)
MESSAGE = f"From: app@example.test\r\nTo: ada@example.test\r\nSubject: smtplib {how}\r\n\r\nHello\r\n"
# smtplib reads one reply to the content, as if there were one recipient.
recipients = ["ada@example.test"] if how.startswith("lmtp") else ["ada@example.test", "bob@example.test"]
result = {}

try:
    if how == "tls":
        client = smtplib.SMTP_SSL(host, int(port), context=context)
    elif how == "lmtp":
        client = smtplib.LMTP(host, int(port))
    elif how == "lmtp-socket":
        client = smtplib.LMTP(host)
    else:
        client = smtplib.SMTP(host, int(port))
    with client:
        if how == "starttls":
            client.starttls(context=context)
        if how in ("starttls", "tls"):
            result["cipher"] = client.sock.version()
        if login:
            client.login(*login)
        client.sendmail("app@example.test", recipients, MESSAGE)
        result["sent"] = True
except (ssl.SSLError, smtplib.SMTPException) as error:
    result["error"] = f"{type(error).__name__}: {error}"

print(json.dumps(result))
