import { type EventType, eventTypes } from '../../../contract/vocabulary/event-types.js';
import { nearestName } from '../../../contract/vocabulary/helpers/nearest-name.js';
import { UsageError } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/** The word for every event type. */
export const ALL_EVENTS = 'all';

/** Reads event types from comma-separated flags. @throws UsageError for an unknown type. */
export function readEventTypes(flag: string, values: readonly string[]): EventType[] {
  return readNames(flag, values, eventTypes);
}

/** Reads event types as `readEventTypes` does. The word `all` stands for every type. */
export function readEventTypesOrAll(flag: string, values: readonly string[]): EventType[] {
  const names = readNames(flag, values, [ALL_EVENTS, ...eventTypes]);
  return names.includes(ALL_EVENTS) ? [...eventTypes] : (names as EventType[]);
}

function readNames<Name extends string>(flag: string, values: readonly string[], known: readonly Name[]): Name[] {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  return names.map((name) => {
    const found = known.find((each) => each === name);
    if (found) return found;
    const nearest = nearestName(name, known);
    const hint = nearest ? `Did you mean ${nearest}?` : `Choose from: ${known.join(', ')}.`;
    throw new UsageError(
      `${flag} must be ${flag.startsWith('--') ? 'event types' : 'an event type'}, not ${quoted(name)}.`,
      hint,
    );
  });
}
