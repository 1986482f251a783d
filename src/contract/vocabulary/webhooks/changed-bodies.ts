import { envelopeFields, eventFields, locationFields } from '../event-types.js';
import { trimEndOf } from '../text.js';

/** Explains how an application may change the body of a webhook before it verifies the signature. */

export interface BodyChange {
  /** The body before the change. */
  original: string;
  cause: string;
  advice: string;
}

const USE_RAW_BODY = 'Verify the raw bytes of the request before parsing them.';

/** Returns what may have changed a body before its signature was checked, with the original for each change. */
export function changesOf(text: string): BodyChange[] {
  const changes: BodyChange[] = [];
  const add = (original: string, cause: string) => {
    if (original !== text) changes.push({ original, cause, advice: USE_RAW_BODY });
  };
  add(trimEndOf(text, '\r\n'), 'a line break was added at the end of the body');
  add(text.replace(/^\ufeff/, ''), 'a byte order mark was added at the start of the body');
  const parsed = parse(text);
  if (parsed === undefined) return changes;
  const compact = JSON.stringify(parsed);
  add(compact, withoutBlanks(text) === compact ? 'the body was reformatted' : 'the body’s text is escaped differently');
  add(JSON.stringify(inOrder(parsed)), 'the body’s keys are in a different order');
  return changes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Returns JSON without whitespace between its tokens. */
function withoutBlanks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''));
}

/** Returns an event's envelope with its keys in the order that svc uses. */
function inOrder(parsed: unknown): unknown {
  const { type, data } = (parsed ?? {}) as { type?: string; data?: Record<string, unknown> };
  const order = Object.entries(eventFields).find(([name]) => name === type)?.[1];
  if (!order || typeof data !== 'object' || data === null) return parsed;
  const location = data.location as Record<string, unknown> | undefined;
  const ordered = pick({ ...data, ...(location && { location: pick(location, locationFields) }) }, order);
  return pick({ ...(parsed as object), data: ordered }, envelopeFields);
}

function pick(record: Record<string, unknown>, order: readonly string[]): Record<string, unknown> {
  const rest = Object.keys(record).filter((name) => !order.includes(name));
  return Object.fromEntries([...order.filter((name) => name in record), ...rest].map((name) => [name, record[name]]));
}
