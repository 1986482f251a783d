"""Composes a message with Python's email package, sends it with smtplib, and prints as JSON what was in it.

Arguments: host and port. The message has UTF-8 everywhere, an inline image, an attachment and a blind copy.
"""

import email.policy
import hashlib
import json
import smtplib
import sys
from email.message import EmailMessage

host, port = sys.argv[1], int(sys.argv[2])
image = bytes(range(256))
data = "spalte;größe\r\n1;ß\r\n".encode() * 40

message = EmailMessage(policy=email.policy.SMTPUTF8)
message["From"] = "Zoë Müller <zoë@example.test>"
message["To"] = "Ada <ada@example.test>, 李雷 <lei@example.test>"
message["Cc"] = "carol@example.test"
message["Subject"] = "Grüße aus Köln – 你好 ✓"
message.set_content("Hello, wörld\n.a line that begins with a dot\ntrailing  \n", cte="8bit")
message.add_alternative('<p>Hello, wörld <img src="cid:logo"></p>\n', subtype="html", cte="quoted-printable")
message.get_payload()[1].add_related(image, "image", "png", cid="<logo>", filename="logo.png")
message.add_attachment(data, "text", "csv", filename="größe.csv")

recipients = ["ada@example.test", "lei@example.test", "carol@example.test", "hidden@example.test"]
raw = message.as_bytes(policy=email.policy.SMTPUTF8)
with smtplib.SMTP(host, port) as client:
    client.ehlo()
    client.sendmail("zoë@example.test", recipients, raw, mail_options=["SMTPUTF8", "BODY=8BITMIME"])

print(json.dumps({
    "sha256": hashlib.sha256(raw).hexdigest(),
    "subject": str(message["Subject"]),
    "text": message.get_body(["plain"]).get_content(),
    "html": message.get_body(["html"]).get_content(),
    "files": {"logo.png": hashlib.sha256(image).hexdigest(), "größe.csv": hashlib.sha256(data).hexdigest()},
}))
