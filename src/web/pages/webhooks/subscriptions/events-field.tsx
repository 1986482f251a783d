import { useContext, useId, useState } from 'react';
import { type EventType, eventTypes } from '../../../../contract/vocabulary/event-types.js';
import { CheckField, FieldError, FieldErrors } from '../../../components/form/field.js';
import styles from './webhooks.module.css';

/** Chooses event types: all at first, or those that are chosen already. */
export function EventsField({ chosen = eventTypes }: { chosen?: readonly EventType[] | undefined }) {
  const [events, setEvents] = useState(new Set(chosen));
  const toggle = (type: EventType) => {
    const next = new Set(events);
    if (!next.delete(type)) next.add(type);
    setEvents(next);
  };
  const id = useId();
  const error = useContext(FieldErrors).events;
  const isAll = events.size === eventTypes.length;
  return (
    <fieldset
      className={styles.events}
      aria-describedby={error && id}
      aria-invalid={error ? true : undefined}
      tabIndex={error ? -1 : undefined}
    >
      <legend data-label-of="events">Events</legend>
      <div className={styles.all}>
        <CheckField label="All events" checked={isAll} onChange={() => setEvents(new Set(isAll ? [] : eventTypes))} />
      </div>
      {eventTypes.map((type) => (
        <CheckField
          key={type}
          label={type}
          name="events"
          value={type}
          checked={events.has(type)}
          onChange={() => toggle(type)}
        />
      ))}
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}
