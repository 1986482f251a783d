import { type EventType, eventTypes } from '../../../contract/vocabulary/event-types.js';
import { nearestName } from '../../../contract/vocabulary/helpers/nearest-name.js';
import { UsageError } from '../../errors/exit-codes.js';

/** Reads event types from comma-separated flags. @throws UsageError for an unknown type. */
export function readEventTypes(flag: string, values: readonly string[]): EventType[] {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  return names.map((name) => {
    const known = eventTypes.find((type) => type === name);
    if (known) return known;
    const nearest = nearestName(name, eventTypes);
    const hint = nearest ? `Did you mean ${nearest}?` : `Choose from: ${eventTypes.join(', ')}.`;
    throw new UsageError(`${flag}: unknown event type ${JSON.stringify(name)}.`, hint);
  });
}
