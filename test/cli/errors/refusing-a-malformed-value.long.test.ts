import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectRefusal, type Refusal } from '../../support/cli/refusal.js';

const folder = temporaryDirectory();
const dataDir = join(folder.path, 'data');

const wrong = (args: string[], message: RegExp): Refusal => ({ args, code: 2, message });
const send = ['emails', 'send', '--to', 'ada@example.test'];
const addRule = ['dev', 'rules', 'add', '--to', '*', '--outcome'];
const backwards = ['--since', '2026-12-01', '--until', '2026-01-01'];

const DURATION = /must be a duration such as 90s, 2h, 1d12h or PT2H, at most ten years/.source;
const DATE = `${DURATION}, or an ISO 8601 date, or a date-time with an offset or Z, not `;
const DATE_TIME = /an RFC 3339 date-time with an offset or Z, such as 2026-03-02T09:30:00Z/.source;
const SCHEDULE = `^Error: --schedule ${DURATION}, or ${DATE_TIME}, not`;

const refused: Record<string, Refusal> = {
  'a date in words': wrong(
    ['emails', 'list', '--since', 'yesterday'],
    new RegExp(`^Error: --since ${DATE}"yesterday"\\.\nRun "svc emails list --help"\\.\n$`),
  ),
  'a date that no month has': wrong(['emails', 'list', '--until', '2026-02-30'], new RegExp(`--until ${DATE}`)),
  'a date that is empty': wrong(['emails', 'list', '--since', ''], /^Error: --since must not be empty\.\n/),
  'a date to count from': wrong(['analytics', '--since', 'May'], new RegExp(`--since ${DATE}`)),
  'a date to count to': wrong(['analytics', '--until', '1.5.2026'], new RegExp(`--until ${DATE}`)),
  'a date to replay from': wrong(['webhooks', 'replay', '--since', 'noon'], new RegExp(`--since ${DATE}`)),
  'a list that ends before it begins': wrong(['emails', 'list', ...backwards], /^Error: --since .* than --until\.\n$/),
  'a period in durations that ends before it begins': wrong(
    ['emails', 'list', '--since', '1h', '--until', '2h'],
    /^Error: --since .* than --until\.\n$/,
  ),
  'a count that ends before it begins': wrong(['analytics', ...backwards], /^Error: --since .* than --until\.\n$/),
  'a time without its day': wrong(
    ['dev', 'clock', 'set', 'now'],
    new RegExp(`^Error: NOW must be ${DATE_TIME}, not "now"\\.\n`),
  ),
  'a day without its time': wrong(['dev', 'clock', 'set', '2026-11-21'], /NOW must be an RFC 3339 date-time/),
  'a duration without its unit': wrong(
    ['dev', 'clock', 'advance', '5'],
    new RegExp(`^Error: BY ${DURATION}, not "5"\\.\n`),
  ),
  'a delay without its unit': wrong(
    ['emails', 'simulate', 'latest', 'opened', '--delay', '5'],
    new RegExp(`^Error: --delay ${DURATION}`),
  ),
  'a delay of a rule': wrong([...addRule, 'opened', '--delay', 'soon'], new RegExp(`^Error: --delay ${DURATION}`)),
  'a time to send without its unit': wrong([...send, '--schedule', '5'], new RegExp(SCHEDULE)),
  'a time to send that was': wrong([...send, '--schedule', '-5m'], new RegExp(SCHEDULE)),
  'a time to send that is too far ahead': wrong([...send, '--schedule', '99999d'], new RegExp(SCHEDULE)),
  'a time to send without its offset': wrong([...send, '--schedule', '2026-12-01T09:00'], new RegExp(SCHEDULE)),
  'a value longer than a message': wrong(
    [...send, '--schedule', 'a'.repeat(10_000)],
    /^Error: --schedule .*, not "a{80}…"\.\n/,
  ),
  'a number longer than a message': wrong(
    ['emails', 'list', '--limit', 'a'.repeat(10_000)],
    /^Error: --limit must be an integer, not "a{80}…"\.\n/,
  ),
  'a status that is none': wrong(
    ['logs', 'list', '--status', '4x'],
    /^Error: --status must be a status such as 404, or a class such as 4xx, not "4x"\.\n/,
  ),
  'a status to follow': wrong(['logs', 'tail', '--status', '600'], /^Error: --status must be a status/),
  'more than any list has': wrong(
    ['templates', 'list', '--offset', '99999999999999999999'],
    /^Error: --offset must be an integer less than or equal to 999999999999999, /,
  ),
  'more emails than a rule applies to': wrong(
    [...addRule, 'opened', '--times', '1000001'],
    /^Error: --times must be an integer /,
  ),
  'more requests than a key may make': wrong(
    ['api-keys', 'create', '--name', 'ci', '--rate-limit', '1000001'],
    /^Error: --rate-limit must be an integer /,
  ),
  'a bounce type of an open': wrong(
    ['emails', 'simulate', 'latest', 'opened', '--bounce-type', 'hard'],
    /^Error: --bounce-type requires the outcome bounced\.\n/,
  ),
  'details of another outcome': wrong(
    ['emails', 'simulate', 'latest', 'delivered', '--ip', '192.0.2.1', '--url', 'https://example.test'],
    /^Error: --ip requires .*; --url requires the outcome clicked\.\n/,
  ),
  'a rule with details of another outcome': wrong(
    [...addRule, 'bounced', '--drop-reason', 'suppressed'],
    /^Error: --drop-reason requires the outcome dropped\.\n/,
  ),
};

describe('a malformed value', () => {
  afterAll(() => folder.remove());

  it.each(Object.entries(refused))('is a usage error: %s', (_, refusal) =>
    expectRefusal((args, env) => svc(args, { env: { SVC_DATA_DIR: dataDir, ...env } }), refusal),
  );

  it('is refused before any request', () => {
    expect(existsSync(dataDir)).toBe(false);
  });
});
