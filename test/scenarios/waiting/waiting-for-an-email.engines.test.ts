import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { look, mail, wait } from './waits.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const HOUR_MS = 3_600_000;

let app: TestApp;

beforeEach(async () => {
  app = await startApp({ plan: 'none' });
});
afterEach(() => app.closeClean());

const idsOf = ({ emails }: { emails: { id: string }[] }) => emails.map(({ id }) => id);

describe('an email that arrives during a wait', () => {
  it('is the response when it was sent over REST and matches', async () => {
    const waiting = wait(app, { query: 'to:ada@example.test subject:/reset/i' });
    await mail(app, { subject: 'Welcome' });
    await mail(app, { subject: 'Reset your password', to: 'bob@example.test' });
    const id = await mail(app, { subject: 'Reset your password', tags: ['auth'] });
    expect(await waiting).toMatchObject({
      matched: true,
      total: 1,
      emails: [
        {
          id,
          subject: 'Reset your password',
          tags: ['auth'],
          html: '<p>Hi</p>',
          origin: 'rest',
          recipients: [{ kind: 'to', address: 'ada@example.test', mailbox: 'ada@example.test' }],
        },
      ],
      near_misses: [],
    });
  });

  it('is the response when it was received over SMTP and matches', async () => {
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    const waiting = wait(app, { query: 'to:ada@example.test subject:Invoice' });
    const message = 'From: shop@example.test\r\nTo: ada@example.test\r\nSubject: Invoice 42\r\n\r\nHi\r\n';
    await deliver(smtp, message, { to: ['ada@example.test'] });
    expect((await waiting).emails).toMatchObject([{ subject: 'Invoice 42', text: 'Hi\n', origin: 'smtp' }]);
  });

  it('is never missed, whether it is stored before or after the request begins to read', async () => {
    const rounds = Array.from({ length: 40 }, (_, index) => `user${index}@example.test`);
    const results = await Promise.all(
      rounds.map(async (to, index) => {
        const sending = index % 2 === 0 ? mail(app, { to }) : undefined;
        const waiting = wait(app, { query: `to:${to}` });
        const id = await (sending ?? mail(app, { to }));
        return { id, found: idsOf(await waiting) };
      }),
    );
    for (const { id, found } of results) expect(found).toEqual([id]);
  });

  it('counts when its status changes', async () => {
    const id = await mail(app);
    const bounced = wait(app, { query: 'status:bounced' });
    const opened = wait(app, { query: 'to:bob@example.test event:email.opened' });
    const other = await mail(app, { to: 'bob@example.test' });
    await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'bounced' });
    await app.call('POST', `/_svc/emails/${other}/simulate`, { outcome: 'opened' });
    expect((await bounced).emails).toMatchObject([{ id, status: 'bounced' }]);
    expect(idsOf(await opened)).toEqual([other]);
  });

  it('has its links and codes in the response, also if the query tests neither', async () => {
    const html = '<p>Your code is 493817.</p><a href="https://app.example.test/verify?t=1">Verify your address</a>';
    const waiting = [wait(app, { query: 'to:ada@example.test' }), wait(app, { query: 'has:code has:link' })];
    const id = await mail(app, { html });
    for (const { emails } of await Promise.all(waiting)) {
      expect(emails).toMatchObject([{ id, codes: [{ value: '493817' }] }]);
      expect(emails[0].links).toMatchObject([{ href: 'https://app.example.test/verify?t=1', kind: 'verify' }]);
      expect(emails[0].html_text).toContain('Your code is 493817.');
    }
    expect(idsOf(await look(app, { query: 'text:"your code is" -has:attachment header:Subject=hello' }))).toEqual([id]);
    expect(await look(app, { query: '-has:link' })).toMatchObject({ matched: false });
  });

  it('does not end the wait if the clock of the service is advanced, and counts with its time on the machine', async () => {
    const waiting = wait(app, { query: 'subject:later', since: 'now' });
    expect((await app.call('POST', '/_svc/clock/advance', { by: '2h' })).status).toBe(200);
    const id = await mail(app, { subject: 'later' });
    const [email] = (await waiting).emails;
    expect(email.id).toBe(id);
    expect(Date.parse(email.created_at) - Date.parse(email.captured_at)).toBeGreaterThanOrEqual(2 * HOUR_MS - 60_000);
    expect(idsOf(await look(app, { since: '60s' }))).toEqual([id]);
  });
});

describe('an email that arrived before the wait', () => {
  it('is the response if it is in the window, and the newest wins', async () => {
    await mail(app, { subject: 'first' });
    const second = await mail(app, { subject: 'second' });
    expect(idsOf(await wait(app, { query: 'to:ada@example.test' }))).toEqual([second]);
    expect(idsOf(await wait(app, { query: 'to:ada@example.test', since: 'start' }))).toEqual([second]);
    expect(await look(app, { query: 'to:ada@example.test', since: 'now' })).toMatchObject({
      matched: false,
      emails: [],
    });
  });

  it('is outside of a window that begins after it', async () => {
    const first = await look(app, {});
    const one = await mail(app);
    const two = await mail(app);
    const { emails, cursor } = await wait(app, { since: first.cursor, min: 2 });
    expect(idsOf({ emails })).toEqual([two, one]);
    expect(cursor).toBe(emails[0].cursor);
    expect(idsOf(await look(app, { since: emails[1].cursor }))).toEqual([two]);
    expect(await look(app, { since: cursor })).toMatchObject({ matched: false, near_misses: [], cursor });
    const captured = Date.parse(emails[0].captured_at);
    expect(idsOf(await look(app, { since: new Date(captured).toISOString() }))).toContain(two);
    expect(idsOf(await look(app, { since: new Date(captured + 1).toISOString() }))).toEqual([]);
  });

  it('does not count after its deletion', async () => {
    const waiting = wait(app, { min: 2 });
    const deleted = await mail(app);
    expect((await app.call('DELETE', `/_svc/emails/${deleted}`)).status).toBe(204);
    const after = await mail(app);
    const last = await mail(app);
    expect(idsOf(await waiting)).toEqual([last, after]);
  });

  it('does not count after a reset', async () => {
    const waiting = wait(app, { min: 2 });
    const before = await mail(app);
    await app.call('POST', '/_svc/reset');
    const after = await mail(app);
    const last = await mail(app);
    expect(before).not.toBe(after);
    expect(idsOf(await waiting)).toEqual([last, after]);
  });
});

describe('the number of emails', () => {
  it('ends the wait when it reaches the minimum, and all up to the maximum are returned', async () => {
    const waiting = wait(app, { min: 2, max: 3 });
    const first = await mail(app);
    const second = await mail(app);
    expect(await waiting).toMatchObject({ matched: true, total: 2, emails: [{ id: second }, { id: first }] });
    const third = await mail(app);
    expect(idsOf(await look(app, { min: 1, max: 3 }))).toEqual([third, second, first]);
    expect(idsOf(await look(app, { min: 2 }))).toEqual([third, second]);
    expect(idsOf(await look(app, { min: 2, max: null }))).toEqual([third, second, first]);
  });

  it('fails the wait if it is too small or too large at the end', async () => {
    const ids = [await mail(app), await mail(app), await mail(app)].reverse();
    const larger = await look(app, { min: 2, max: 2 });
    expect(larger).toMatchObject({ matched: false, total: 3, near_misses: [] });
    expect(idsOf(larger)).toEqual(ids);
    const other = await mail(app, { subject: 'Other' });
    const smaller = await look(app, { query: 'subject:Hello', min: 4 });
    expect(smaller).toMatchObject({ matched: false, total: 3, near_misses: [{ id: other }] });
    expect(idsOf(smaller)).toEqual(ids);
  });
});

describe('an email that must not arrive', () => {
  it('passes the wait if none matches until the time-out', async () => {
    await mail(app, { to: 'bob@example.test' });
    const result = await look(app, { query: 'to:ada@example.test', absent: true });
    expect(result).toMatchObject({ matched: true, emails: [], near_misses: [] });
  });

  it('fails the wait at once when it arrives', async () => {
    const waiting = wait(app, { query: 'to:ada@example.test', absent: true });
    const id = await mail(app);
    expect(await waiting).toMatchObject({ matched: false, emails: [{ id }], total: 1 });
    expect(await wait(app, { query: 'to:ada@example.test', absent: true })).toMatchObject({ matched: false });
  });
});

describe('emails that almost match', () => {
  it('are listed after the time-out with the conditions that they fail, the closest first', async () => {
    const far = await mail(app, { to: 'bob@example.test', subject: 'Welcome' });
    const older = await mail(app, { subject: 'Welcome' });
    const newer = await mail(app, { subject: 'Your invoice' });
    const { near_misses } = await look(app, { query: 'to:ada@example.test subject:/reset/i' });
    expect(near_misses).toMatchObject([
      { id: newer, to: 'ada@example.test', failed: [{ condition: 'subject:/reset/i', actual: 'Your invoice' }] },
      { id: older, failed: [{ condition: 'subject:/reset/i', actual: 'Welcome' }] },
      {
        id: far,
        failed: [
          { condition: 'to:ada@example.test', actual: 'bob@example.test' },
          { condition: 'subject:/reset/i', actual: 'Welcome' },
        ],
      },
    ]);
  });

  it('are at most ten', async () => {
    for (let index = 0; index < 12; index += 1) await mail(app, { subject: `Welcome ${index}` });
    const { near_misses } = await look(app, { query: 'subject:reset' });
    expect(near_misses).toHaveLength(10);
    expect(near_misses[0]).toMatchObject({ subject: 'Welcome 11' });
  });
});

describe('an invalid request', () => {
  const refused: [what: string, body: object, message: RegExp][] = [
    ['without a query', { query: undefined }, /^query: is required/],
    ['with an unknown field', { query: 'form:ada' }, /^query: unknown field "form" at column 1, expected /],
    ['with an open parenthesis', { query: '(a OR b' }, /^query: parenthesis is not closed at column 1, expected /],
    ['with a long query', { query: `to:${'a'.repeat(4_096)}` }, /^query: must be at most 4096 bytes in UTF-8/],
    ['with an invalid regular expression', { query: 'subject:/(/' }, /^query: .* at column \d+/],
    ['with a count upside down', { min: 3, max: 2 }, /^max: must be at least min, which is 3/],
    ['for no email', { min: 0 }, /^min: must be at least 1/],
    ['for too many emails', { min: 1_001 }, /^min: must be at most 1000/],
    ['without time', { timeout_ms: 0 }, /^timeout_ms: must be at least 1/],
    ['for too long', { timeout_ms: HOUR_MS + 1 }, /^timeout_ms: must be at most 3600000/],
    ['since a number without a unit', { since: '60' }, /^since: must be start, now, a cursor such as c42, /],
    ['with a misspelled field', { sicne: 'now' }, /^sicne: is not a field \(did you mean since\?\)/],
    ['for absence and a number', { absent: true, min: 2 }, /^min: cannot be combined with absent/],
  ];

  it.each(refused)('is refused %s', async (_, body, message) => {
    const { status, json } = await app.call('POST', '/_svc/emails/wait', { query: '', ...body });
    expect(status).toBe(422);
    expect(json.error.message).toMatch(message);
  });
});
