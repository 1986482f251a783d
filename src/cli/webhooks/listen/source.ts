import type { AttemptReport } from '../../../contract/control/webhooks.js';

/** Defines the output of `svc webhooks listen`, one object per line. */

/** An attempt. For a remote service, the delivery is unknown, and the service decides when to retry. */
export type ListenAttempt = Omit<AttemptReport, 'delivery_id' | 'webhook_id' | 'event_seq'> & {
  delivery_id: string | null;
  webhook_id: string | null;
  event_seq: number | null;
};

export interface ListenReady {
  webhook_id: string;
  /** The URL that events are forwarded to. */
  url: string;
  secret: string;
  /** For a remote service: the URL that it posts to, and the local address that this URL must lead to. */
  public_url?: string;
  receiver?: string;
}

export type ListenLine =
  | ({ event: 'ready' } & ListenReady)
  | ({ event: 'attempt' } & ListenAttempt)
  | { event: 'lost'; reason: string }
  | { event: 'reconnected' }
  /** The number of attempts that were omitted, because the lines were not read in time. */
  | { event: 'missed'; count: number }
  /** A request without a valid signature was rejected. */
  | { event: 'refused'; at: string; reason: string };

/** A source of lines. */
export interface ListenSource {
  /** Yields lines until the signal. In any case, it finally removes what it created, such as a webhook. */
  lines(signal: AbortSignal): AsyncIterable<ListenLine>;
  /** Sends the event of an attempt again, with the same bytes. The new attempt is a line too. */
  replay(attempt: ListenAttempt): Promise<void>;
  /** Closes the connections and servers that were opened. */
  close(): Promise<void>;
}
