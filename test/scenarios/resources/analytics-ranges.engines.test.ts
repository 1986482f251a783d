import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Analytics; gaps 28 and 29. */

describe('a range of analytics', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ plan: 'none' });
    app.clock.freeze();
    app.clock.set(Date.parse('2024-03-31T10:00:00.000Z'));
  });

  afterEach(() => app.closeClean());

  const ask = (query: Record<string, string> = {}) =>
    app.call('GET', `/v1/analytics/emails?${new URLSearchParams(query)}`);
  const send = (to = 'ada@example.test') =>
    app.call('POST', '/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: 'Hi' });
  const datesOf = async (query: Record<string, string>) =>
    (await ask(query)).json.data.by_date.map(({ date }: { date: string }) => date);

  it('is the last 30 days by day by default', async () => {
    app.clock.set(Date.parse('2024-03-01T09:59:59.999Z'));
    await send();
    await app.drain();
    app.clock.set(Date.parse('2024-03-01T10:00:00.000Z'));
    await send();
    app.clock.set(Date.parse('2024-03-31T10:00:00.000Z'));
    await send();
    await app.drain();
    const { total, by_date } = (await ask()).json.data;
    expect(by_date).toHaveLength(31);
    expect([by_date[0].date, by_date[30].date]).toEqual(['2024-03-01', '2024-03-31']);
    expect(total).toEqual({ sent: 2, delivered: 2, bounced: 0, complained: 0, opened: 0, clicked: 0 });
    expect(by_date[1]).toEqual({
      date: '2024-03-02',
      sent: 0,
      delivered: 0,
      bounced: 0,
      complained: 0,
      opened: 0,
      clicked: 0,
    });
  });

  it('has periods that begin on Mondays, on the first of the month, and on leap days', async () => {
    const range = { from_date: '2024-02-28', to_date: '2024-03-05' };
    expect(await datesOf({ ...range, group_by: 'week' })).toEqual(['2024-02-26', '2024-03-04']);
    expect(await datesOf({ ...range, group_by: 'month' })).toEqual(['2024-02-01', '2024-03-01']);
    expect((await datesOf({ ...range, group_by: 'day' })).slice(0, 3)).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(await datesOf({ from_date: '2025-02-28', to_date: '2025-03-01' })).toEqual(['2025-02-28', '2025-03-01']);
    expect(await datesOf({ from_date: '2024-12-31', to_date: '2025-01-06', group_by: 'week' })).toEqual([
      '2024-12-30',
      '2025-01-06',
    ]);
  });

  it('is read in its own time zone, and returned in UTC', async () => {
    app.clock.set(Date.parse('2024-03-10T23:30:00.000Z'));
    await send();
    const total = async (from_date: string, to_date: string) => (await ask({ from_date, to_date })).json.data;
    const tokyo = await total('2024-03-11T00:00:00+09:00', '2024-03-11T23:59:59.999+09:00');
    expect(tokyo.by_date).toMatchObject([
      { date: '2024-03-10', sent: 1 },
      { date: '2024-03-11', sent: 0 },
    ]);
    expect((await total('2024-03-10T18:30:01-05:00', '2024-03-11T00:00:00-05:00')).total.sent).toBe(0);
    expect((await total('2024-03-10T18:30:00-05:00', '2024-03-10T18:30:00-05:00')).total.sent).toBe(1);
  });

  it.each([
    ['day', '2020-01-01', '2022-09-26', '2022-09-27'],
    ['week', '2000-01-03', '2019-03-03', '2019-03-04'],
    ['month', '1950-01-01', '2033-04-30', '2033-05-01'],
  ])('may have 1,000 periods of one %s and no more', async (group_by, from_date, last, over) => {
    const whole = await ask({ group_by, from_date, to_date: last });
    expect([whole.status, whole.json.data?.by_date.length]).toEqual([200, 1_000]);
    const refused = await ask({ group_by, from_date, to_date: over });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'validation_error']);
    expect(refused.json.error.message).toContain('1000 periods');
  });

  it.each([
    [{ from_date: '2024-03-02', to_date: '2024-03-01' }, 'from_date'],
    [{ from_date: '2024-03-01T12:00:00.001Z', to_date: '2024-03-01T12:00:00Z' }, 'from_date'],
    [{ from_date: '2024-04-02' }, 'from_date'],
    [{ from_date: '2023-02-29' }, 'from_date'],
    [{ from_date: '2024-03-01T00:00:00' }, 'from_date'],
    [{ from_date: 'yesterday' }, 'from_date'],
    [{ from_date: '' }, 'from_date'],
    [{ to_date: '2024-13-01' }, 'to_date'],
    [{ to_date: '20240301' }, 'to_date'],
    [{ to_date: '12024-03-01' }, 'to_date'],
    [{ to_date: '-000001-03-01' }, 'to_date'],
    [{ group_by: 'hour' }, 'group_by'],
    [{ from_date: '0001-01-01' }, 'from_date'],
    [{ from_date: '0000-01-01', to_date: '0000-01-02' }, 'to_date'],
    [{ from_date: '0001-01-01T00:00:00+14:00', to_date: '0001-01-02' }, 'from_date'],
    [{ from_date: '9999-12-30', to_date: '9999-12-31T23:59:59-12:00' }, 'to_date'],
    [{ from_date: '0001-01-01', to_date: '9999-12-31', group_by: 'month' }, 'from_date'],
  ] as [Record<string, string>, string][])('of %j is refused, naming %s', async (query, path) => {
    const refused = await ask(query);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'validation_error']);
    expect(refused.json.error.details[0].path).toBe(path);
  });

  it.each([
    [{ from_date: '0001-01-01', to_date: '0001-01-03' }, ['0001-01-01', '0001-01-02', '0001-01-03']],
    [{ from_date: '0001-01-03', to_date: '0001-01-08', group_by: 'week' }, ['0001-01-01', '0001-01-08']],
    [{ to_date: '0001-01-02' }, ['0001-01-01', '0001-01-02']],
    [{ from_date: '0099-12-31', to_date: '0100-01-01', group_by: 'month' }, ['0099-12-01', '0100-01-01']],
    [{ from_date: '9999-12-31', to_date: '9999-12-31', group_by: 'month' }, ['9999-12-01']],
    [{ from_date: '9999-12-31', to_date: '9999-12-31', group_by: 'week' }, ['9999-12-27']],
  ] as [Record<string, string>, string[]][])('may be far in the past or the future: %j', async (query, dates) => {
    expect(await datesOf(query)).toEqual(dates);
  });
});

describe('the cost of analytics', () => {
  it('depends on the range: the counters have as many rows for many emails as for one', async () => {
    const directory = temporaryDirectory();
    const file = join(directory.path, 'mail.db');
    const app = await startApp({ plan: 'none', storage: { file } });
    const db = new Database(file, { readonly: true });
    const rows = () => db.prepare('SELECT unit, count(*) AS rows FROM counters GROUP BY unit ORDER BY unit').all();
    const send = (to: string[]) =>
      app.call('POST', '/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: 'Hi' });
    try {
      app.clock.freeze();
      app.clock.set(Date.parse('2024-02-29T12:34:56.789Z'));
      await send(['ada@example.test']);
      await app.drain();
      const ofOne = rows();
      expect(ofOne).toHaveLength(5);
      for (let mails = 0; mails < 20; mails += 1) {
        await send(Array.from({ length: 50 }, (_, index) => `r${index}@example.test`));
      }
      await app.drain();
      expect(rows()).toEqual(ofOne);
      const answer = await app.call('GET', '/v1/analytics/emails?from_date=2024-02-29&to_date=2024-02-29');
      expect(answer.json.data.total).toMatchObject({ sent: 1_001, delivered: 1_001 });

      // A range is summed over part of this primary key; the events are not read at all.
      const plan = db
        .prepare('EXPLAIN QUERY PLAN SELECT sum(sent) FROM counters WHERE unit = ? AND start >= ? AND start < ?')
        .all(1, 0, 1) as { detail: string }[];
      expect(plan.map(({ detail }) => detail)).toEqual([
        'SEARCH counters USING PRIMARY KEY (unit=? AND start>? AND start<?)',
      ]);
    } finally {
      db.close();
      await app.close();
      directory.remove();
    }
  });
});
