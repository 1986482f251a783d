"""Reads many messages with Python's email package, and prints one line of JSON for each.

stdin holds the messages, each after its length in 4 bytes, big-endian. A line holds the subject, the mailboxes of the address
headers, and every part that has no parts of its own, in order, with its decoded text and the hash of its bytes.
"""

import email
import email.policy
import hashlib
import json
import re
import struct
import sys

ADDRESS_HEADERS = ("From", "To", "Cc", "Reply-To")
# Browsers decode some charsets as supersets of them (https://encoding.spec.whatwg.org/#names-and-labels), and svc does
# the same. Text without a charset is decoded as UTF-8.
CODECS = {
    "": "utf-8",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "shift_jis": "cp932",
}
# Keeps header fields unchanged, without folding them again.
VERBATIM = email.policy.default.clone(refold_source="none", linesep="\r\n")


# Browsers and svc decode the control characters 128 to 159 of ISO-8859-1 as letters of Windows-1252.
WINDOWS_1252 = {code: bytes([code]).decode("windows-1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}


def letters_for_controls(charset, text):
    return text.translate(WINDOWS_1252) if charset in ("iso-8859-1", "latin1") else text


def decoded(part, content):
    """Returns the text of a part, its charset, and whether all its bytes are valid in that charset."""
    charset = (part.get_content_charset() or "").lower()
    codec = CODECS.get(charset, charset)
    try:
        return letters_for_controls(charset, content.decode(codec)), charset, True
    except (LookupError, UnicodeError):
        try:
            return letters_for_controls(charset, content.decode(codec, "replace")), charset, False
        except (LookupError, UnicodeError):
            return content.decode("utf-8", "replace"), charset, False


def well_encoded(part, encoding):
    """Returns whether base64 and quoted-printable are used as RFC 2045 allows."""
    text = part.get_payload()
    if not isinstance(text, str) or encoding in ("", "7bit", "8bit", "binary"):
        return True
    if encoding == "base64":
        packed = re.sub(r"\s+", "", text)
        return len(packed) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", packed) is not None
    if encoding == "quoted-printable":
        return re.search(r"=(?![0-9A-Fa-f]{2}|[ \t]*(\r?\n|$))|[^\t\r\n -~]", text) is None
    return False


def leaves(part):
    """Yields every part that has no parts. An attached message or delivery status is one part."""
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        for child in part.get_payload():
            yield from leaves(child)
    elif part.get_content_maintype() != "multipart":
        yield leaf_of(part)


def leaf_of(part):
    opened = part.is_multipart()
    if opened:
        content = b"".join(child.as_bytes(policy=VERBATIM) for child in part.get_payload())
    else:
        content = part.get_payload(decode=True) or b""
    text, charset, is_valid = decoded(part, content)
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    return {
        "type": part.get_content_type(),
        "given_type": None if part.get("Content-Type") is None else str(part["Content-Type"]),
        "disposition": part.get_content_disposition(),
        "filename": part.get_filename(),
        "encoding": encoding,
        "well_encoded": well_encoded(part, encoding),
        "boundary": part.get_boundary(),
        "flowed": str(part.get_param("format") or "").lower() == "flowed",
        "charset": charset,
        "well_chosen_charset": is_valid,
        "text": text if part.get_content_maintype() in ("text", "message") else None,
        # This parser has serialised an attached message again, and may have changed its end.
        "sha256": None if opened else hashlib.sha256(content).hexdigest(),
    }


def mailboxes(message, name):
    """Returns the mailboxes of each field of that name."""
    return [
        [[address.display_name, address.addr_spec] for address in field.addresses] for field in message.get_all(name, [])
    ]


def attempt(work):
    """Returns the result of the work, or its exception: malformed messages make this parser fail too."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001
        return {"raised": f"{type(error).__name__}: {error}"}


def as_text(value):
    """Decodes bytes above 127 in a header as UTF-8. This package keeps them as lone surrogates."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, list):
        return [as_text(each) for each in value]
    if isinstance(value, dict):
        return {key: as_text(each) for key, each in value.items()}
    return value


def read(raw):
    message = email.message_from_bytes(raw, policy=email.policy.default)
    return as_text({
        "headers": len(message.keys()),
        "subjects": attempt(lambda: [str(value).translate(WINDOWS_1252) for value in message.get_all("Subject", [])]),
        **{name: attempt(lambda name=name: mailboxes(message, name)) for name in ADDRESS_HEADERS},
        "containers": [part.get_content_type() for part in message.walk() if part.is_multipart()],
        "parts": attempt(lambda: list(leaves(message))),
        "defects": sorted({type(defect).__name__ for part in message.walk() for defect in part.defects}),
    })


stdin = sys.stdin.buffer
while head := stdin.read(4):
    print(json.dumps(read(stdin.read(struct.unpack(">I", head)[0]))))
