import { formatDuration } from '../contract/duration.js';
import type { ClockState, TimeTravel } from '../contract/simulation.js';

const JUST_NOW_MS = 1_000;

/** `2026-08-01T14:00:00.000Z  2h ahead, frozen` */
export function lineOfClock({ now, frozen, offset_ms }: ClockState): string {
  const away = Math.abs(offset_ms) < JUST_NOW_MS ? 0 : Math.round(offset_ms / 1_000) * 1_000;
  const offset = away === 0 ? 'as the machine' : `${formatDuration(Math.abs(away))} ${away > 0 ? 'ahead' : 'behind'}`;
  return `${now}  ${offset}${frozen ? ', frozen' : ''}\n`;
}

/** What ran on the way, for the person at the terminal. */
export function sayWhatRan({ ran }: TimeTravel): string {
  const counts = Object.entries(ran).map(([kind, count]) => `${kind} ×${count}`);
  return counts.length > 0 ? `Ran: ${counts.join(', ')}` : 'Nothing was due.';
}
