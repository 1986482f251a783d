import type { Inbox, ReceivedEmail } from '../api/emails.js';

/** Checks what a matcher was called with. */

/** @throws TypeError unless the value is an inbox. */
export function checkInbox(value: unknown, matcher: string): asserts value is Inbox {
  if (isObject(value) && typeof value.waitFor === 'function' && typeof value.waitForNone === 'function') return;
  throw new TypeError(`${matcher} needs an inbox, such as svc.inbox('ada@example.test'), not ${nameOf(value)}.`);
}

/** @throws TypeError unless the value is an email of the kit. */
export function checkEmail(value: unknown, matcher: string): asserts value is ReceivedEmail {
  if (isObject(value) && Array.isArray(value.links) && typeof value.reload === 'function') return;
  const hint = value instanceof Promise ? ' Put await before the call that returns it.' : '';
  throw new TypeError(`${matcher} needs an email that an inbox returned, not ${nameOf(value)}.${hint}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function nameOf(value: unknown): string {
  if (isObject(value)) return value instanceof Promise ? 'a promise' : 'another object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
