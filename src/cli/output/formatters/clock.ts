import type { ClockState, TimeTravel } from '../../../contract/control/simulation/clock.js';
import { describeOffset } from '../../../contract/vocabulary/durations.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { localTime } from '../local-time.js';

/** Formats a clock: `2026-08-01T16:00:00+02:00  2h ahead, frozen`. */
export function lineOfClock({ now, frozen, offset_ms }: ClockState): string {
  return `${localTime(now)}  ${describeOffset(offset_ms) ?? 'system time'}${frozen ? ', frozen' : ''}\n`;
}

/** Describes a clock, such as `2h ahead of the system time, frozen`; undefined when it shows the system time. */
export function describeMovedClock({ frozen, offset }: { frozen: boolean; offset: number }): string | undefined {
  const far = describeOffset(offset);
  if (far === undefined) return frozen ? 'frozen' : undefined;
  return `${far}${offset > 0 ? ' of' : ''} the system time${frozen ? ', frozen' : ''}`;
}

/** Describes a clock in few words, such as `2h ahead, frozen`; undefined when it shows the system time. */
export function describeClockBriefly({ frozen, offset }: { frozen: boolean; offset: number }): string | undefined {
  const parts = [describeOffset(offset), frozen ? 'frozen' : undefined].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** Describes the jobs that ran while the clock was advanced. */
export function describeJobsRun({ ran, cut_short }: TimeTravel): string {
  const counts = Object.entries(ran).map(([kind, count]) => `${kind} ×${count}`);
  const cut = cut_short > 0 ? ` ${plural(cut_short, 'webhook attempt')} timed out before a response.` : '';
  return (counts.length > 0 ? `Ran: ${counts.join(', ')}.` : 'Nothing was due.') + cut;
}
