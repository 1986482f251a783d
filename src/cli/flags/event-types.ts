import { type EventType, eventTypes } from '../../contract/vocabulary/event-types.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { UsageError } from '../errors/exit-codes.js';
import { quoted } from '../output/text.js';
import { readJsonInput } from './values/json-input.js';

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
    const ending = known.filter((each) => each.endsWith(`.${name}`));
    const nearest = ending.length === 1 ? ending[0] : nearestName(name, known);
    const hint = nearest ? `Did you mean ${nearest}?` : `Choose from: ${known.join(', ')}.`;
    throw new UsageError(
      `${flag} must be ${flag.startsWith('--') ? 'event types' : 'an event type'}, not ${quoted(name)}.`,
      hint,
    );
  });
}

/** Reads the data of a simulated event: a JSON object or a file of it, overridden by single fields. */
export async function readEventData(
  json: string | undefined,
  sets: readonly string[],
): Promise<Record<string, unknown>> {
  const data = json === undefined ? {} : (await readJsonInput('--data', json)).value;
  for (const set of sets) {
    const at = set.indexOf('=');
    if (at < 1) throw new UsageError(`--set must be PATH=VALUE, not ${quoted(set)}.`);
    setField(data, set.slice(0, at).split('.'), readValue(set.slice(at + 1)));
  }
  return data;
}

/** Returns the parsed value if the text is JSON, otherwise the text itself: `--set opens=3`, `--set reason=full`. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function setField(data: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const inner = Object.hasOwn(data, name) ? data[name] : undefined;
  const nested = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  Object.defineProperty(data, name, { value: nested, enumerable: true, configurable: true, writable: true });
  setField(nested, rest, value);
}
