import type { Outcome } from '../../contract/vocabulary/outcomes.js';
import type { Engagement, RecipientRef } from './emails.js';
import type { Step } from './outcomes.js';

/** The kinds of jobs by name, and the payload of each. The database stores the names, so they must not change. */
export interface JobPayloads {
  /** Parses a message that was acknowledged before it was parsed. */
  'email.parse': { emailId: string };
  /** Sends a scheduled email, with the outcome that its request asked for, if any. */
  'email.send': { emailId: string; outcome?: Outcome };
  /** Takes the first steps of outcomes that are due, of all emails. */
  'email.deliver': Record<string, never>;
  /** Takes the first of a recipient's steps, and schedules the rest. */
  'email.outcome': RecipientRef & { steps: Step[] };
  /** Records an open or a click that was requested before the delivery. */
  'email.engage': Engagement;
  /** Releases an email to recipients that match `--auto-release`. Attempts count from 1. */
  'email.release': { emailId: string; to: string[]; attempt: number };
  /** Posts an event to a receiver. Attempts count from 1. */
  'webhook.attempt': { deliveryId: string; attempt: number };
}

export type KindName = keyof JobPayloads;

/** A job to add. */
export type NewJob = {
  [Name in KindName]: {
    kind: Name;
    /** The name of a queue, such as a receiver's origin. A pool may limit the number of concurrent jobs per queue. */
    queue?: string;
    /** The instant when the job is due, on the service's clock. */
    runAt: number;
    payload: JobPayloads[Name];
  };
}[KindName];

/** A stored job of these kinds (default: of any). */
export type Job<Names extends KindName = KindName> = {
  [Name in Names]: {
    seq: number;
    kind: Name;
    /** The name of the queue; empty without one. */
    queue: string;
    runAt: number;
    payload: JobPayloads[Name];
  };
}[Names];
