"""Verifies the first DKIM signature of a message (RFC 6376), with the standard library and the openssl binary.

Usage: dkim_verify.py TXT-RECORD-VALUE < message
Prints one JSON object: {"valid": bool, "reason": str, "tags": {...}}.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile


def tag_list(text):
    pairs = (part.split("=", 1) for part in text.split(";") if part.strip())
    return {name.strip(): re.sub(r"\s+", "", value) for name, value in pairs}


def relaxed_header(field):
    name, value = field.split(b":", 1)
    value = re.sub(rb"[ \t]+", b" ", value.replace(b"\r\n", b"")).strip(b" ")
    return name.strip().lower() + b":" + value


def relaxed_body(body):
    body = re.sub(rb"[ \t]+", b" ", body)
    body = re.sub(rb" (?=\r\n)", b"", body)
    body = re.sub(rb" \Z", b"", body)
    body = re.sub(rb"(\r\n)*\Z", b"", body)
    return body + b"\r\n" if body else b""


def openssl_accepts(public_key, signed, signature):
    pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n" % "\n".join(re.findall(".{1,64}", public_key))
    with tempfile.TemporaryDirectory() as directory:
        def keep(name, content):
            path = os.path.join(directory, name)
            with open(path, "wb") as file:
                file.write(content)
            return path

        command = ["openssl", "dgst", "-sha256", "-verify", keep("key.pem", pem.encode()),
                   "-signature", keep("signature", signature), keep("signed", signed)]
        return subprocess.run(command, capture_output=True).returncode == 0


def verify(message, record):
    head, body = message.split(b"\r\n\r\n", 1)
    fields = re.split(rb"\r\n(?![ \t])", head)
    own = next((field for field in fields if field.lower().startswith(b"dkim-signature:")), None)
    if own is None:
        return False, "no signature", {}
    tags = tag_list(own.split(b":", 1)[1].decode("ascii"))
    if (tags["v"], tags["a"], tags["c"]) != ("1", "rsa-sha256", "relaxed/relaxed"):
        return False, "not of a kind that this reads", tags
    if base64.b64encode(hashlib.sha256(relaxed_body(body)).digest()).decode() != tags["bh"]:
        return False, "body hash", tags
    signed = []
    left = [field for field in fields if field is not own]
    for name in tags["h"].lower().split(":"):
        found = [field for field in left if field.split(b":", 1)[0].strip().lower() == name.encode()]
        if found:
            signed.append(relaxed_header(found[-1]))
            left.remove(found[-1])
    unsigned = re.sub(rb"(?s)([;:]\s*b\s*=).*?(?=;|\Z)", rb"\1", own)
    signed.append(relaxed_header(unsigned))
    if not openssl_accepts(tag_list(record)["p"], b"\r\n".join(signed), base64.b64decode(tags["b"])):
        return False, "signature", tags
    return True, "", tags


valid, reason, tags = verify(sys.stdin.buffer.read(), sys.argv[1])
print(json.dumps({"valid": valid, "reason": reason, "tags": tags}))
