"""Reads a delivery status notification on stdin with Python's email package, and prints its parts as JSON."""

import email
import email.policy
import json
import sys

message = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
text, status, *returned = message.iter_parts()
print(json.dumps({
    "type": message.get_content_type(),
    "report_type": message["Content-Type"].params.get("report-type"),
    "to": message["To"],
    "auto_submitted": message["Auto-Submitted"],
    "text": text.get_content(),
    # The fields of the message, then those of each recipient.
    "groups": [dict(group.items()) for group in status.get_payload()],
    "returned": [[part.get_content_type(), part.as_string().split("\n\n", 1)[1]] for part in returned],
    "defects": [str(defect) for part in message.walk() for defect in part.defects],
}))
