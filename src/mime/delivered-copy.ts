import { serviceHeaders } from '../contract/vocabulary/service-headers.js';

/** Makes copies of messages: the one that is delivered, and the one that is passed to a relay. */

const SERVICE_FIELDS = new Set(Object.values(serviceHeaders).map((name) => name.toLowerCase()));
/** Fields of a received message that its new body replaces. A signature of the old body would be invalid. */
const REPLACED = /^(content-.*|mime-version|subject|dkim-signature)$/;
/** Fields of a composed message that describe its body. */
const OF_BODY = /^(content-.*|mime-version|subject)$/;

/** Returns the message without X-Service-… headers, with the subject and body of `composed` if there is one. */
export function deliveredCopy(received: Uint8Array, composed: Uint8Array | null): Uint8Array {
  const own = split(received);
  const kept = own.fields.filter(({ name }) => !SERVICE_FIELDS.has(name));
  if (!composed) return kept.length === own.fields.length ? received : join(kept, own.rest);
  const body = split(composed);
  const fields = [
    ...kept.filter(({ name }) => !REPLACED.test(name)),
    ...body.fields.filter(({ name }) => OF_BODY.test(name)),
  ];
  return join(fields, body.rest);
}

/** Fields that name recipients who must not know of each other. */
const HIDDEN = new Set(['bcc', 'resent-bcc']);

/**
 * Returns the message without Bcc and X-Service-… headers, and with a Received field at its start. `received` has the
 * Received fields of the original.
 */
export function relayedCopy(message: Uint8Array, trace: string): { bytes: Uint8Array; received: string[] } {
  const { fields, rest } = split(message);
  const received = fields.filter(({ name }) => name === 'received').map(({ bytes }) => bytes.toString('latin1'));
  const kept = fields.filter(({ name }) => !HIDDEN.has(name) && !SERVICE_FIELDS.has(name));
  const own = { name: 'received', bytes: Buffer.from(`Received: ${trace}\r\n`) };
  return { bytes: join([own, ...kept], rest), received };
}

interface Field {
  /** In lower case; empty for a line without a name, which is kept. */
  name: string;
  bytes: Buffer;
}

const LF = 0x0a;
const NAME = /^([!-9;-~]+)[ \t]*:/;
/** Bytes that contain the name of a field. */
const NAME_BYTES = 256;

/** Splits a message into its fields and the rest, which begins with the empty line. */
function split(message: Uint8Array): { fields: Field[]; rest: Buffer } {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(LF, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(at, end);
    const start = line.subarray(0, NAME_BYTES).toString('latin1');
    if (/^\r?\n?$/.test(start)) break;
    const last = fields.at(-1);
    if (/^[ \t]/.test(start) && last) last.bytes = bytes.subarray(last.bytes.byteOffset - bytes.byteOffset, end);
    else fields.push({ name: NAME.exec(start)?.[1]?.toLowerCase() ?? '', bytes: line });
    at = end;
  }
  return { fields, rest: bytes.subarray(at) };
}

function join(fields: readonly Field[], rest: Buffer): Buffer {
  return Buffer.concat([...fields.map(({ bytes }) => bytes), rest]);
}
