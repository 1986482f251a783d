import assert from 'node:assert/strict';
import type { Json } from '../api.js';
import { type Check, check } from '../check.js';
import { arrayOf, counters, exactly, rowsOf, string } from '../shapes.js';

/** Checks GET /analytics/emails. */

const bad = { status: 400, code: 'validation_error' };
const DAY = 86_400_000;
const NAMES = Object.keys(counters);
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const datesOf = ({ by_date }: Json): string[] => by_date.map(({ date }: { date: string }) => date);
const result = exactly({ total: exactly(counters), by_date: arrayOf(exactly({ date: string, ...counters })) });

export const checks: Check[] = [
  check(
    ['spec:GET /analytics/emails', ...rowsOf('spec:analytics.total', counters), 'spec:analytics.by_date', 'gap:28'],
    'returns total and by_date, six counters in each; total is the sum of the entries',
    async (api) => {
      await api.sendAndDeliver();
      for (const group of ['day', 'week', 'month']) {
        const data = await api.ok(200, 'GET', `/analytics/emails?group_by=${group}`);
        result(data, 'data');
        for (const name of NAMES) {
          const sum = data.by_date.reduce((total: number, entry: Json) => total + entry[name], 0);
          assert.equal(data.total[name], sum, `${name} by ${group}`);
        }
        assert.ok(data.total.sent >= 1 && data.total.delivered >= 1);
      }
    },
  ),

  check(
    ['spec:analytics.defaults', 'gap:28'],
    'covers by default the last 30 days, by day, empty days included',
    async (api) => {
      const data = await api.ok(200, 'GET', '/analytics/emails');
      const today = await api.now();
      assert.deepEqual(
        datesOf(data),
        Array.from({ length: 31 }, (_, n) => dayOf(today - (30 - n) * DAY)),
      );
      const from = await api.ok(200, 'GET', `/analytics/emails?from_date=${dayOf(today - DAY)}`);
      assert.deepEqual(datesOf(from), [dayOf(today - DAY), dayOf(today)]);
      const to = await api.ok(200, 'GET', '/analytics/emails?to_date=2026-03-31');
      assert.deepEqual([datesOf(to)[0], datesOf(to).at(-1), datesOf(to).length], ['2026-03-01', '2026-03-31', 31]);
    },
  ),

  check(
    ['spec:analytics.total.sent', 'spec:analytics.total.delivered'],
    'counts an email when it is sent, and when it is delivered',
    async (api) => {
      const day = dayOf(await api.now());
      const read = async () => (await api.ok(200, 'GET', `/analytics/emails?from_date=${day}`)).total;
      const before = await read();
      for (let n = 0; n < 3; n += 1) await api.sendAndDeliver();
      const scheduled_at = new Date((await api.now()) + 3_600_000).toISOString();
      await api.send({ scheduled_at });
      const after = await read();
      const added = NAMES.map((name) => after[name] - before[name]);
      if (api.target.exclusive) assert.deepEqual(added, [3, 3, 0, 0, 0, 0]);
      else assert.ok((added[0] ?? 0) >= 3 && (added[1] ?? 0) >= 3);
    },
  ),

  check(
    ['spec:analytics.from_date', 'spec:analytics.to_date', 'gap:29'],
    'treats date bounds as inclusive to the millisecond',
    async (api) => {
      const { id } = await api.send();
      const at = Date.parse((await api.event('email.delivered', ({ email_id }) => email_id === id)).created_at);
      const count = async (from: number, to: number) => {
        const iso = (instant: number) => new Date(instant).toISOString();
        return (await api.ok(200, 'GET', `/analytics/emails?from_date=${iso(from)}&to_date=${iso(to)}`)).total
          .delivered;
      };
      assert.ok((await count(at, at)) >= 1);
      if (!api.target.exclusive) return;
      const [before, on, after] = [
        await count(at - 60_000, at - 1),
        await count(at, at),
        await count(at + 1, at + 60_000),
      ];
      assert.equal(before + on + after, await count(at - 60_000, at + 60_000));
    },
    'receiver',
  ),

  check(['spec:analytics.group_by', 'gap:28'], 'groups by day, week from Monday, and month, in UTC', async (api) => {
    const dates = async (query: string) => datesOf(await api.ok(200, 'GET', `/analytics/emails?${query}`));
    assert.deepEqual(await dates('from_date=2024-02-28&to_date=2024-03-01&group_by=day'), [
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    // 2025-12-31 is a Wednesday, 2026-01-12 a Monday.
    assert.deepEqual(await dates('from_date=2025-12-31&to_date=2026-01-12&group_by=week'), [
      '2025-12-29',
      '2026-01-05',
      '2026-01-12',
    ]);
    assert.deepEqual(await dates('from_date=2026-01-04&to_date=2026-01-05&group_by=week'), [
      '2025-12-29',
      '2026-01-05',
    ]);
    assert.deepEqual(await dates('from_date=2025-11-30&to_date=2026-02-01&group_by=month'), [
      '2025-11-01',
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ]);
    const offset = encodeURIComponent('2026-01-01T00:30:00+01:00');
    assert.deepEqual(await dates(`from_date=${offset}&to_date=${offset}`), ['2025-12-31']);
    for (const group of ['', 'hour', 'year', 'Day', 'day,week']) {
      await api.refused({ ...bad, at: 'group_by' }, 'GET', `/analytics/emails?group_by=${group}`);
    }
  }),

  check(['gap:28'], 'answers a range of 1,000 periods, and refuses 1,001', async (api) => {
    const from = Date.UTC(2020, 0, 1);
    const range = (days: number) =>
      `/analytics/emails?from_date=${dayOf(from)}&to_date=${dayOf(from + (days - 1) * DAY)}`;
    assert.equal((await api.ok(200, 'GET', range(1_000))).by_date.length, 1_000);
    await api.refused(bad, 'GET', range(1_001));
    assert.ok((await api.ok(200, 'GET', `${range(1_001)}&group_by=week`)).by_date.length < 150);
    await api.refused(bad, 'GET', '/analytics/emails?from_date=0001-01-01&to_date=9999-12-31&group_by=month');
  }),

  check(
    ['spec:analytics.from_date', 'spec:analytics.to_date'],
    'answers 400 to an invalid date, and to an end before the start',
    async (api) => {
      for (const name of ['from_date', 'to_date']) {
        for (const value of ['', 'x', '2026-02-30', '2026-01-01T00:00:00']) {
          await api.refused({ ...bad, at: name }, 'GET', `/analytics/emails?${name}=${value}`);
        }
      }
      await api.refused(bad, 'GET', '/analytics/emails?from_date=2026-01-02&to_date=2026-01-01');
    },
  ),
];
