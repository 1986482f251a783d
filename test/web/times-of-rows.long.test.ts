import { expect, it } from 'vitest';
import { shortTime } from '../../src/web/components/format.js';

/** Tests the short times of lists. The page formats them itself, because the browser's formats take long to create. */

const MINUTE_MS = 60_000;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

it.each([
  ['2026-11-23T00:05:09', '00:05:09'],
  ['2026-11-22T23:59:59', 'Sun 23:59'],
  ['2026-11-17T11:00:00', 'Nov 17 11:00'],
  ['2026-11-30T08:07:00', 'Nov 30 08:07'],
  ['2026-09-01T08:07:00', 'Sep 1'],
  ['2025-12-31T08:07:00', 'Dec 31, 2025'],
])('shows %s as %s', (at, shown) => {
  expect(shortTime(new Date(at), new Date('2026-11-23T12:00:00'))).toBe(shown);
});

it('agrees with the formats of the browser for English', () => {
  const format = (options: Intl.DateTimeFormatOptions, at: Date) =>
    new Intl.DateTimeFormat('en-US', options).format(at);
  for (let age = -400; age < 400; age += 1) {
    const now = new Date('2026-03-01T00:30:00');
    const at = new Date(now.getTime() - age * 1_441 * MINUTE_MS);
    const [clock, date] = [format(CLOCK, at), format({ day: 'numeric', month: 'short' }, at)];
    expect([
      format({ ...CLOCK, second: '2-digit' }, at),
      `${format({ weekday: 'short' }, at)} ${clock}`,
      `${date} ${clock}`,
      date,
      format({ day: 'numeric', month: 'short', year: 'numeric' }, at),
    ]).toContain(shortTime(at, now));
  }
});
