"""Signs people up: mails a link and a code over SMTP, and either of them confirms the address."""

import os
import secrets
import smtplib
from email.message import EmailMessage

pending = {}


def sign_up(address):
    token, code = secrets.token_urlsafe(), str(secrets.randbelow(900_000) + 100_000)
    pending[token] = pending[code] = address
    message = EmailMessage()
    message["From"] = "Shop <hello@shop.example>"
    message["To"] = address
    message["Subject"] = "Confirm your address"
    message.set_content(f"Confirm your address: https://shop.example/confirm?key={token}\n\nYour code: {code}\n")
    with smtplib.SMTP(os.environ["SVC_SMTP_HOST"], int(os.environ["SVC_SMTP_PORT"])) as smtp:
        smtp.send_message(message)


def confirm(key):
    return pending.get(key)
