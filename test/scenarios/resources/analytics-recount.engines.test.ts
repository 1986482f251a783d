import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import { counterNames } from '../../../src/contract/vocabulary/event-types.js';
import { recordEvent } from '../../../src/core/mail/event-log.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Analytics; gaps 28 and 29. Compares the counters with a recount of the raw events. */

type Counter = (typeof counterNames)[number];
type Counted = Record<Counter, number>;

interface RawEvent {
  type: string;
  created_at: string;
}

const zero = (): Counted => ({ sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 });
const isoDate = (date: Date) => date.toISOString().slice(0, 10);

/** Returns the first day of a timestamp's period, from its text. */
function periodOf(timestamp: string, grouping: string): string {
  if (grouping === 'month') return `${timestamp.slice(0, 7)}-01`;
  const date = new Date(`${timestamp.slice(0, 10)}T12:00:00Z`);
  // Back, day by day, to a Monday.
  while (grouping === 'week' && date.toUTCString().slice(0, 3) !== 'Mon') date.setUTCDate(date.getUTCDate() - 1);
  return isoDate(date);
}

/** Returns every period of a range, found by iterating over its days. */
function periodsOf(from: string, to: string, grouping: string): string[] {
  const found = new Set<string>();
  const last = isoDate(new Date(to));
  for (const day = new Date(`${isoDate(new Date(from))}T12:00:00Z`); isoDate(day) <= last; ) {
    found.add(periodOf(day.toISOString(), grouping));
    day.setUTCDate(day.getUTCDate() + 1);
  }
  return [...found];
}

function recount(events: RawEvent[], from: string, to: string, grouping: string) {
  const by_date = new Map(periodsOf(from, to, grouping).map((date) => [date, zero()]));
  const total = zero();
  for (const { type, created_at } of events) {
    const counter = type.slice('email.'.length) as Counter;
    if (!counterNames.includes(counter)) continue;
    if (new Date(created_at) < new Date(from) || new Date(created_at) > new Date(to)) continue;
    total[counter] += 1;
    (by_date.get(periodOf(created_at, grouping)) as Counted)[counter] += 1;
  }
  return { total, by_date: [...by_date].map(([date, counts]) => ({ date, ...counts })) };
}

/** Where days, weeks, months and leap days begin and end; events and bounds are generated near them. */
const EDGES = [
  '2023-12-31T00:00:00Z',
  '2024-01-01T00:00:00Z',
  '2024-02-28T23:59:59.999Z',
  '2024-02-29T00:00:00Z',
  '2024-03-01T00:00:00Z',
  '2024-03-03T23:59:59.999Z',
  '2024-03-04T00:00:00Z',
  '2024-03-31T01:00:00Z',
  '2024-10-27T01:00:00Z',
  '2024-12-30T00:00:00Z',
  '2025-02-28T23:59:59.999Z',
  '2025-03-01T00:00:00Z',
].map((edge) => Date.parse(edge));
const FROM = Date.parse('2023-11-15T00:00:00Z');
const UNTIL = Date.parse('2025-04-15T00:00:00Z');

const instant = fc.oneof(
  fc.integer({ min: FROM, max: UNTIL }),
  fc.tuple(fc.constantFrom(...EDGES), fc.integer({ min: -3, max: 3 })).map(([edge, off]) => edge + off),
  fc
    .tuple(fc.constantFrom(...EDGES), fc.constantFrom(-3_600_000, -60_000, -1_000, 1_000, 60_000, 3_600_000))
    .map(([edge, off]) => edge + off),
);

/** The same instant in other time zones. */
const offsetMinutes = fc.constantFrom(0, 60, 330, 345, 765, 840, -210, -300, -720);
function written(at: number, minutes: number): string {
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

describe('analytics', () => {
  const directory = temporaryDirectory();
  const ids = createIds();
  let app: TestApp;
  let store: Store;
  let events: RawEvent[] = [];

  beforeAll(async () => {
    const storage = { file: join(directory.path, 'mail.db') };
    app = await startApp({ plan: 'none', storage });
    store = openSqliteStore(storage);
  });

  afterAll(async () => {
    await app.close();
    await store.close();
    directory.remove();
    expect(app.faults).toEqual([]);
  });

  const types = ['email.sent', 'email.delivered', 'email.bounced', 'email.complained', 'email.opened', 'email.clicked'];

  /** Writes events as the service does, several per commit. */
  async function applyOutcome(happened: { type: string; at: number }[]): Promise<void> {
    await Promise.all(
      happened.map(({ type, at }) =>
        store.write((tx) => recordEvent(tx, { clock: { now: () => at } as never, ids }, type as never, {} as never)),
      ),
    );
    const last = events.length;
    const stored = await store.read.events.after(last, happened.length + 1);
    expect(stored).toHaveLength(happened.length);
    events = [...events, ...stored.map(({ payload }) => JSON.parse(payload) as RawEvent)];
  }

  async function expectRecount(from: string, to: string, grouping: string, asked = { from, to }): Promise<void> {
    const query = new URLSearchParams({ from_date: asked.from, to_date: asked.to, group_by: grouping });
    const answer = await app.call('GET', `/v1/analytics/emails?${query}`);
    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual(recount(events, from, to, grouping));
  }

  it('match a recount of the events, for every range to the millisecond, grouping and time zone', async () => {
    const occurrence = fc.record({ type: fc.constantFrom(...types, 'email.dropped', 'domain.verified'), at: instant });
    const range = fc.record({
      a: instant,
      b: instant,
      zones: fc.tuple(offsetMinutes, offsetMinutes),
      grouping: fc.constantFrom('day', 'week', 'month'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(occurrence, { maxLength: 40 }),
        fc.array(range, { minLength: 1, maxLength: 8 }),
        async (happened, ranges) => {
          await applyOutcome(happened);
          for (const { a, b, zones, grouping } of ranges) {
            const [from, to] = [Math.min(a, b), Math.max(a, b)];
            const asked = { from: written(from, zones[0]), to: written(to, zones[1]) };
            await expectRecount(new Date(from).toISOString(), new Date(to).toISOString(), grouping, asked);
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(new Set(events.map(({ type }) => type)).size).toBe(types.length + 2);
  });

  it('treat a bare date as the whole day in UTC', async () => {
    const day = fc.integer({ min: FROM, max: UNTIL }).map((at) => isoDate(new Date(at)));
    await fc.assert(
      fc.asyncProperty(day, day, fc.constantFrom('day', 'week', 'month'), async (a, b, grouping) => {
        const [from, to] = [a, b].sort() as [string, string];
        await expectRecount(`${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`, grouping, { from, to });
      }),
      { numRuns: 30 },
    );
  });

  it('do not count a write that was rolled back', async () => {
    const at = Date.parse('2024-02-29T12:00:00Z');
    const undone = store.write(async (tx) => {
      await recordEvent(tx, { clock: { now: () => at } as never, ids }, 'email.sent', {} as never);
      throw new Error('undone');
    });
    const kept = applyOutcome([{ type: 'email.opened', at }]);
    await expect(undone).rejects.toThrow('undone');
    await kept;
    await expectRecount('2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z', 'day');
  });
});
