"""Prints the parts of a message as JSON, as Python's email package reads them, independently of svc."""

import email
import email.policy
import hashlib
import json
import sys

message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)


def body(kind):
    part = message.get_body([kind])
    return part.get_content() if part else ""


# A body is a text without a file name. Every other part that contains no parts is a file.
files = [
    part
    for part in message.walk()
    if not part.is_multipart() and (part.get_filename() or part.get_content_maintype() != "text")
]
print(json.dumps({
    "subject": str(message["Subject"]),
    "text": body("plain"),
    "html": body("html"),
    "files": [
        {"filename": part.get_filename(), "type": part.get_content_type(), "sha256": hashlib.sha256(part.get_payload(decode=True)).hexdigest()}
        for part in files
    ],
}))
