import type { CounterName, EventType } from '../../contract/vocabulary/event-types.js';

/** An event to append. */
export interface NewEvent {
  id: string;
  type: EventType;
  createdAt: number;
  emailId: string | null;
  /** The mailbox of the recipient, for an email event. */
  recipient: string | null;
  /** The serialized envelope. It is signed and sent unchanged, also in retries (gap 25). */
  payload: string;
}

export interface StoredEvent extends NewEvent {
  /** A number that rises with every event. Readers use it as their cursor. */
  seq: number;
}

export type Counts = Record<CounterName, number>;
