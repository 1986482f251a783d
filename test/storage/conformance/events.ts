import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CounterName, counterNames } from '../../../src/contract/vocabulary/event-types.js';
import { INSTANT_MAX, INSTANT_MIN } from '../../../src/contract/vocabulary/instants.js';
import type { Counts, StoredEvent } from '../../../src/core/model/events.js';
import { eventOf, NOON } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';

export function eventSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('keeps every field, and numbers events in order', async () => {
    const store = await open();
    const mail = eventOf('evt_1');
    const system = eventOf('evt_2', { type: 'domain.verified', emailId: null, recipient: null });
    expect(await store.read.events.lastSeq()).toBe(0);
    const stored = await store.write(async (tx) => [
      await tx.events.append(mail, undefined),
      await tx.events.append(system, undefined),
    ]);
    expect(stored).toEqual([
      { ...mail, seq: 1 },
      { ...system, seq: 2 },
    ]);
    expect(await store.read.events.after(0, 10)).toEqual(stored);
    expect(await store.read.events.find('evt_2')).toEqual(stored[1]);
    expect(await store.read.events.find('evt_3')).toBeUndefined();
    expect(await store.read.events.lastSeq()).toBe(2);
  });

  it('reads on from a cursor, a page at a time', async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (let n = 1; n <= 5; n++) await tx.events.append(eventOf(`evt_${n}`), undefined);
    });
    const seqs = async (after: number, limit: number) =>
      (await store.read.events.after(after, limit)).map(({ seq }) => seq);
    expect(await seqs(0, 2)).toEqual([1, 2]);
    expect(await seqs(2, 2)).toEqual([3, 4]);
    expect(await seqs(4, 2)).toEqual([5]);
    expect(await seqs(5, 2)).toEqual([]);
  });

  it('finds the events of one email', async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.events.append(eventOf('evt_1', { emailId: 'msg_a' }), undefined);
      await tx.events.append(eventOf('evt_2', { emailId: 'msg_b' }), undefined);
      await tx.events.append(eventOf('evt_3', { emailId: null }), undefined);
      await tx.events.append(eventOf('evt_4', { emailId: 'msg_a' }), undefined);
    });
    expect((await store.read.events.ofEmail('msg_a')).map(({ id }) => id)).toEqual(['evt_1', 'evt_4']);
  });

  it('counts nothing for an event without a counter', async () => {
    const store = await open();
    await store.write((tx) => tx.events.append(eventOf('evt_1'), undefined));
    expect(Object.values(await store.read.events.count(0, NOON * 2))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('counts in any range the sum of the events themselves', async () => {
    const store = await open();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: instant, counter: fc.constantFrom(...counterNames) }), { maxLength: 30 }),
        fc.array(fc.tuple(instant, instant), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 10 }),
        async (events, ranges, perWork) => {
          const works = Array.from({ length: Math.ceil(events.length / perWork) }, (_, n) =>
            events.slice(n * perWork, (n + 1) * perWork),
          );
          await Promise.all(
            works.map((work) =>
              store.write(async (tx) => {
                for (const { at, counter } of work) {
                  await tx.events.append(
                    eventOf(`evt_${made++}`, { createdAt: at, type: `email.${counter}` }),
                    counter,
                  );
                }
              }),
            ),
          );
          // The events of all runs so far: the more periods are filled, the more can go wrong.
          const all = await store.read.events.after(0, made);
          expect(all).toHaveLength(made);
          for (const [from, to] of [...ranges, ...rangesAt(events)]) {
            expect(await store.read.events.count(from, to), `${from}..${to}`).toEqual(recount(all, from, to));
          }
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });
}

const DAY = 86_400_000;
/** The edges where periods meet: of months, days, hours, minutes and seconds; before 1970 and far away. */
const edges = [
  Date.UTC(2026, 0, 1),
  Date.UTC(2026, 1, 28),
  Date.UTC(2026, 2, 1),
  Date.UTC(2024, 1, 29),
  Date.UTC(2026, 4, 17, 11),
  Date.UTC(2026, 4, 17, 11, 59),
  Date.UTC(2026, 4, 17, 11, 59, 59),
  0,
  -DAY,
  -1,
  Date.UTC(1900, 0, 1),
  8_640_000_000_000_000 - DAY,
];

const anyInstant = fc.oneof(
  fc.tuple(fc.constantFrom(...edges), fc.integer({ min: -2, max: 2 })).map(([edge, offset]) => edge + offset),
  fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -2 * DAY, max: 2 * DAY - 1 }))
    .map(([edge, offset]) => Math.min(edge + offset, 8_640_000_000_000_000)),
  fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
);
/** The store sets aside an event whose instant is not one of these. */
const instant = anyInstant.map((at) => Math.max(INSTANT_MIN, Math.min(at, INSTANT_MAX)));

/** Returns the ranges that begin at, end at, or just miss an event. */
function rangesAt(events: { at: number }[]): [number, number][] {
  return events.flatMap(({ at }) => [
    [at, at],
    [at + 1, at + DAY],
    [at - DAY, at - 1],
    [at, at + DAY],
  ]);
}

function recount(events: StoredEvent[], from: number, to: number): Counts {
  const counts = Object.fromEntries(counterNames.map((name) => [name, 0])) as Counts;
  for (const { createdAt, type } of events) {
    if (createdAt >= from && createdAt <= to) counts[type.replace('email.', '') as CounterName] += 1;
  }
  return counts;
}
