import { formatDuration, readDuration } from '../durations.js';
import type { ErrorDetail } from '../error-detail.js';
import { HTTP_TARGET_FORM, matchesOperation, readHttpTarget } from './http-target.js';

/** Defines the words of faults. Separate from the schemas, so that commands start without zod. */

/** Stages of an SMTP session. `end` is the end of a message's content. */
export const faultStages = ['connect', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'end'] as const;
export type FaultStage = (typeof faultStages)[number];

/** When a connection is closed: before the request is processed, or after it, in place of its reply. */
export const faultDrops = ['before', 'after'] as const;
export type FaultDrop = (typeof faultDrops)[number];

/** The end of every text that a fault makes up. */
export const INJECTED = '(injected by svc)';

/** The longest delay of a fault. */
const FAULT_DELAY_MAX_MS = 3_600_000;
/** The wait that a fault with the status 429 or 503 asks for by default. */
export const RETRY_AFTER_DEFAULT_MS = 1_000;
/** Maximum number of faults. */
export const FAULTS_MAX = 1_000;
/** Largest value of the numbers that select requests. */
export const FAULT_NUMBER_MAX = 1_000_000;
/** Maximum characters of a reply, a message or a response body that a fault makes up. */
export const FAULT_TEXT_CHARACTERS = 512;

/** Checks which parts of a fault can be combined. Separate from the schemas, so that commands start without zod. */

/** The fields of a request that describe a fault. Durations are texts or milliseconds. */
export interface FaultParts {
  smtp?: string | undefined;
  http?: string | undefined;
  webhook?: string | undefined;
  code?: number | undefined;
  text?: string | undefined;
  error?: string | undefined;
  delay?: string | number | undefined;
  drop?: string | undefined;
  truncate?: boolean | undefined;
  retry_after?: string | number | undefined;
  greylist?: string | number | undefined;
  times?: number | undefined;
  every?: number | undefined;
  probability?: number | undefined;
  seed?: number | undefined;
  after_messages?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  match?: string | undefined;
}

type Part = keyof FaultParts;

const TARGETS = ['smtp', 'http', 'webhook'] as const;
/** The parts that say what happens. */
const EFFECTS: readonly Part[] = ['code', 'error', 'delay', 'drop', 'truncate', 'greylist'];
/** The lowest status of each target; the highest is 599. */
const LOWEST_CODE = { smtp: 400, http: 400, webhook: 300 } as const;

export const TARGET_REQUIRED = 'must have exactly one of smtp, http and webhook';
export const EFFECT_REQUIRED = 'must have at least one of code, error, delay, drop, truncate and greylist';

/** Returns the parts that do not fit, with the reason for each. The path is empty for a missing target or effect. */
export function incompatibleFaultParts(parts: FaultParts): ErrorDetail[] {
  const targets = TARGETS.filter((name) => parts[name] !== undefined);
  const [target] = targets;
  if (target === undefined || targets.length > 1) return [{ path: '', message: TARGET_REQUIRED }];
  const found: ErrorDetail[] = [];
  const check = (path: Part, fits: boolean, message: string) => {
    if (parts[path] !== undefined && !fits && !found.some((each) => each.path === path)) found.push({ path, message });
  };
  checkTarget(parts, check);
  checkEffect(parts, target, check);
  checkSelection(parts, target, check);
  if (!EFFECTS.some((name) => isGiven(parts, name))) found.push({ path: '', message: EFFECT_REQUIRED });
  return found;
}

type Check = (path: Part, fits: boolean, message: string) => void;

function isGiven(parts: FaultParts, name: Part): boolean {
  return parts[name] !== undefined && parts[name] !== false;
}

function checkTarget({ http = '', webhook = '' }: FaultParts, check: Check): void {
  const target = readHttpTarget(http);
  check('http', target !== undefined, `must be ${HTTP_TARGET_FORM}`);
  check('http', target !== undefined && matchesOperation(target), 'does not match any operation of the service');
  check('webhook', webhook.includes('*') || URL.canParse(webhook), 'must be a URL, or a pattern with *');
}

function checkEffect(parts: FaultParts, target: (typeof TARGETS)[number], check: Check): void {
  const { smtp, code, drop } = parts;
  const [isSmtp, isHttp] = [target === 'smtp', target === 'http'];
  const lowest = LOWEST_CODE[target];
  check('code', (code ?? 0) >= lowest && (code ?? 0) <= 599, `must be from ${lowest} to 599 with ${target}`);
  check('code', drop === undefined, 'cannot be combined with drop');
  check('error', isHttp, 'requires http');
  check('error', drop === undefined, 'cannot be combined with drop');
  check(
    'text',
    ['code', 'error', 'greylist'].some((name) => isGiven(parts, name as Part)),
    'requires code, error or greylist',
  );
  check('drop', drop !== 'after' || !isSmtp || smtp === 'end', 'can be after only with smtp end, http or webhook');
  if (parts.truncate) {
    check('truncate', isHttp, 'requires http');
    check('truncate', code === undefined && parts.error === undefined, 'cannot be combined with code or error');
    check('truncate', drop === undefined, 'cannot be combined with drop');
  }
  const waits =
    isHttp && (code === 429 || code === 503 || (code === undefined && parts.error === 'rate_limit_exceeded'));
  check('retry_after', waits, 'requires http with code 429 or 503');
  check('greylist', smtp === 'rcpt', 'requires smtp rcpt');
  check('greylist', drop === undefined, 'cannot be combined with drop');
  check('greylist', code === undefined || code < 500, 'requires a code from 400 to 499');
  for (const name of ['delay', 'retry_after', 'greylist'] as const) {
    const value = parts[name];
    const ms = typeof value === 'string' ? (readDuration(value) ?? 0) : (value ?? 0);
    check(name, ms > 0 && (name !== 'delay' || ms <= FAULT_DELAY_MAX_MS), durationRule(name));
  }
}

function durationRule(name: string): string {
  return name === 'delay'
    ? `must be more than 0 and at most ${formatDuration(FAULT_DELAY_MAX_MS)}`
    : 'must be more than 0';
}

const WITH_SENDER = ['mail', 'rcpt', 'data', 'end'];
const WITH_RECIPIENTS = ['rcpt', 'data', 'end'];

function checkSelection(parts: FaultParts, target: (typeof TARGETS)[number], check: Check): void {
  const { smtp = '', http = '', probability = 0 } = parts;
  const httpTarget = readHttpTarget(http);
  const sends = target === 'http' && httpTarget !== undefined && matchesOperation(httpTarget, 'emails.send');
  check('from', sends || WITH_SENDER.includes(smtp), `requires smtp ${listed(WITH_SENDER)}, or http that sends email`);
  check(
    'to',
    sends || WITH_RECIPIENTS.includes(smtp),
    `requires smtp ${listed(WITH_RECIPIENTS)}, or http that sends email`,
  );
  check('match', sends || smtp === 'end', 'requires smtp end, or http that sends email');
  check('after_messages', WITH_SENDER.includes(smtp), `requires smtp ${listed(WITH_SENDER)}`);
  check('probability', probability > 0 && probability <= 1, 'must be more than 0 and at most 1');
  check('probability', parts.every === undefined, 'cannot be combined with every');
  check('seed', parts.probability !== undefined, 'requires probability');
  if (parts.greylist === undefined) return;
  for (const name of ['times', 'every', 'probability'] as const) check(name, false, 'cannot be combined with greylist');
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
