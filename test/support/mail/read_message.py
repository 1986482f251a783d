"""Reads a message with Python's email package under its strict policy, and prints as JSON what is in it.

Every defect that any part or header has is listed, and every line that is longer or ends otherwise than RFC 5322 allows.
"""

import email
import email.policy
import json
import re
import sys

raw = sys.stdin.buffer.read()
message = email.message_from_bytes(raw, policy=email.policy.SMTP.clone(raise_on_defect=False))

defects = []
for part in message.walk():
    defects += [repr(defect) for defect in part.defects]
    for name, value in part.items():
        defects += [f"{name}: {defect!r}" for defect in value.defects]
    if not part.is_multipart():
        part.get_content()
        defects += [repr(defect) for defect in part.defects]

# The strict policy raises an exception on the first defect, and the message must pass it too.
email.message_from_bytes(raw, policy=email.policy.strict)

if re.search(rb"(?<!\r)\n|\r(?!\n)", raw):
    defects.append("a line that does not end with CRLF")
if any(len(line) > 998 for line in raw.split(b"\r\n")):
    defects.append("a line of more than 998 bytes")


def mailboxes(name):
    return [[address.display_name, address.addr_spec] for field in message.get_all(name, []) for address in field.addresses]


def content(part):
    if part is None:
        return None
    return part.get_content()


print(json.dumps({
    "defects": defects,
    "headers": [name for name, _ in message.items()],
    "from": mailboxes("From"),
    "to": mailboxes("To"),
    "cc": mailboxes("Cc"),
    "reply_to": mailboxes("Reply-To"),
    "subject": message["Subject"] and str(message["Subject"]),
    "date": message["Date"].datetime.isoformat(),
    "message_id": str(message["Message-ID"]),
    "type": message.get_content_type(),
    "html": content(message.get_body(["html"])),
    "text": content(message.get_body(["plain"])),
    "attachments": [
        {
            "filename": part.get_filename(),
            "type": part.get_content_type(),
            "disposition": part.get_content_disposition(),
            "hex": (part.get_payload(decode=True) or part.get_payload()[0].as_bytes()).hex() if part.get_content_maintype() == "message" else part.get_payload(decode=True).hex(),
        }
        for part in message.iter_attachments()
    ] if message.is_multipart() else [],
}))
