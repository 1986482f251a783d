import type { AttemptReport } from '../../../contract/control/deliveries.js';

/** What `svc webhooks listen` tells, one object a line. */

/** An attempt. What came from a remote service has no delivery to name, and when it is tried again is the service's affair. */
export type ListenAttempt = Omit<AttemptReport, 'delivery_id' | 'event_seq'> & {
  delivery_id: string | null;
  event_seq: number | null;
};

export interface ListenReady {
  webhook_id: string;
  /** Where events are forwarded to. */
  url: string;
  secret: string;
  /** With a remote service: where it posts to, and where that must lead. */
  public_url?: string;
  receiver?: string;
}

export type ListenLine =
  | ({ event: 'ready' } & ListenReady)
  | ({ event: 'attempt' } & ListenAttempt)
  | { event: 'lost'; reason: string }
  | { event: 'reconnected' }
  /** So many attempts were made and are not told of, because these lines were not read in time. */
  | { event: 'missed'; count: number }
  /** Somebody posted what the service did not sign. */
  | { event: 'refused'; at: string; reason: string };

/** What lines come from. */
export interface ListenSource {
  /** Every line until the signal. Whatever was set up for it is gone when it ends, however it ends. */
  lines(signal: AbortSignal): AsyncIterable<ListenLine>;
  /** Sends an attempt's event again, byte for byte; the attempt comes as a line. */
  replay(attempt: ListenAttempt): Promise<void>;
  /** Ends what was opened for listening. */
  close(): Promise<void>;
}
