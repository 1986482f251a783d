import { expect, it } from 'vitest';
import { envelopeFields, eventFields, eventTypes, locationFields } from '../../src/contract/vocabulary/event-types.js';
import { events } from '../../src/contract/webhook-events.js';
import { startApp } from '../support/servers/app.js';

/** Commands use the names and the order of an event's fields without loading the schemas. */

it('the schemas of events have the fields of the vocabulary, in its order', () => {
  expect(Object.keys(events).sort()).toEqual([...eventTypes].sort());
  for (const type of eventTypes) expect(Object.keys(events[type].shape), type).toEqual(eventFields[type]);
});

it('an event is written in the order of the vocabulary', async () => {
  const app = await startApp();
  for (const type of eventTypes) {
    const { json } = await app.call('POST', '/_svc/events/trigger', { type });
    const event = JSON.parse(json.data.payload);

    expect(Object.keys(event)).toEqual(envelopeFields);
    expect(Object.keys(event.data), type).toEqual(eventFields[type]);
    if (event.data.location) expect(Object.keys(event.data.location)).toEqual(locationFields);
  }
  await app.closeClean();
});
