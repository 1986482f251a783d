import { SERVICE_HEADER_PREFIX, serviceHeaders } from '../contract/vocabulary/service-headers.js';
import { MESSAGE_FIELDS, SINGLE_FIELDS } from './header.js';

/** Reads the header of a message or part of the usual form. Any other is left to mailparser. */

/** A value and its parameters, as in `text/plain; charset=utf-8`. */
export interface Structured {
  value: string;
  params: ReadonlyMap<string, string>;
}

export interface Mailbox {
  name: string;
  address: string;
}

/** Fields that are read, each of which may occur once. */
const READ = new Set([
  ...MESSAGE_FIELDS,
  ...SINGLE_FIELDS,
  ...Object.values(serviceHeaders).map((name) => name.toLowerCase()),
]);

const NAME = /^[!-9;-~]+$/;
const NOT_PRINTABLE = /[^ -~]/;

/**
 * Returns the fields that are read, by name in lower case, unfolded. Undefined when the header contains anything but
 * printable ASCII, an encoded word, a comment, or a field twice.
 * @param head without the empty line after it
 */
export function readHead(head: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  if (head === '') return fields;
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!NAME.test(name)) return undefined;
    const key = name.toLowerCase();
    // The worker names unknown ones.
    if (!READ.has(key) && key.startsWith(SERVICE_HEADER_PREFIX)) return undefined;
    // It warns about this one too.
    if (key === 'bcc') return undefined;
    if (!READ.has(key)) continue;
    const value = line.slice(colon + 1).trim();
    if (fields.has(key) || value.includes('=?') || NOT_PRINTABLE.test(value)) return undefined;
    fields.set(key, value);
  }
  return fields;
}

const PARAMETER = /^ ?([a-z-]+)=(?:"([^"\\;]*)"|([\w.+/-]+)) ?$/i;

/** Returns a plain value with plain parameters, each once; undefined for any other. */
export function readStructured(text: string): Structured | undefined {
  const [value = '', ...rest] = text.split(';');
  if (!/^[a-z0-9.+-]+(\/[a-z0-9.+-]+)?$/i.test(value)) return undefined;
  const params = new Map<string, string>();
  for (const parameter of rest) {
    const [, name, quoted, token] = PARAMETER.exec(parameter) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || params.has(key)) return undefined;
    params.set(key, quoted ?? token ?? '');
  }
  return { value: value.toLowerCase(), params };
}

const ATEXT = "[\\w.!#$%&'*+/?^`{|}~-]";
const ADDRESS = `${ATEXT}+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*`;
const BARE = new RegExp(`^(${ADDRESS})$`);
const NAMED = new RegExp(
  `^(?:"([A-Za-z0-9][A-Za-z0-9 .,_-]*)"|([A-Za-z0-9](?:[A-Za-z0-9_-]| (?! ))*)) ?<(${ADDRESS})>$`,
);

/** Returns the mailboxes of a list without groups, comments or encoded words; undefined for any other. */
export function readMailboxes(text: string): Mailbox[] | undefined {
  const mailboxes: Mailbox[] = [];
  for (const each of splitList(text)) {
    const bare = BARE.exec(each)?.[1];
    const [, quoted, plain, named] = bare === undefined ? (NAMED.exec(each) ?? []) : [];
    const address = bare ?? named;
    if (address === undefined || address.includes('@xn--')) return undefined;
    mailboxes.push({ name: (quoted ?? plain ?? '').trim(), address });
  }
  return mailboxes;
}

/** Splits at commas outside of quotation marks. */
function splitList(text: string): string[] {
  if (!text.includes('"')) return text.split(',').map((each) => each.trim());
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === ',' && !quoted) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}
