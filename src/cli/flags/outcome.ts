import { Flags } from '@oclif/core';
import { type EventType, eventTypes } from '../../contract/vocabulary/event-types.js';
import { nearestName } from '../../contract/vocabulary/names.js';
import {
  bounceTypes,
  complaintTypes,
  incompatibleDetails,
  type OutcomeDetails,
} from '../../contract/vocabulary/outcomes.js';
import { UsageError } from '../errors/exit-codes.js';
import { quoted } from '../output/text.js';
import { fills, flagsFilling } from './request-field.js';
import { readJsonInput } from './values/json-input.js';
import { durationFlag } from './values/value-types.js';

/** Declares the flags with the details of a simulated outcome. */
export const outcomeFlags = {
  'bounce-type': fills(
    'bounce_type',
    Flags.option({ options: bounceTypes, description: 'Bounce type (default: hard).' })(),
  ),
  'complaint-type': fills(
    'complaint_type',
    Flags.option({ options: complaintTypes, description: 'Complaint type (default: abuse).' })(),
  ),
  reason: fills(
    'reason',
    Flags.string({
      description: 'Bounce reason, as the recipient’s server states it, such as "550 5.1.1 No such user".',
      helpValue: 'TEXT',
    }),
  ),
  delay: fills('delay', durationFlag({ description: 'Delay before the outcome, such as 30s, 2h or PT5M.' })),
};

/**
 * Checks the details of an outcome. `declared` are the flags of the command. @throws UsageError when a detail does not
 * apply.
 */
export function checkDetails(details: OutcomeDetails, declared: Record<string, { field?: string }>): void {
  const found = incompatibleDetails(details).map(
    ({ path, message }) => `--${flagsFilling(declared, path)[0]} ${message}`,
  );
  if (found.length > 0) throw new UsageError(`${found.join('; ')}.`);
}

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
