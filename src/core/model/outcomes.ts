import type { BounceType, ComplaintType, DropReason, Outcome, StepName } from '../../contract/vocabulary/outcomes.js';

/** An outcome, with values that replace its defaults. */
export interface Simulation {
  outcome: Outcome;
  bounceType?: BounceType | undefined;
  complaintType?: ComplaintType | undefined;
  dropReason?: DropReason | undefined;
  /** The reply of the recipient's server to a bounced email. */
  reason?: string | undefined;
  /** Milliseconds from sending to the first step (default: the server's delivery delay). */
  delayMs?: number | undefined;
  url?: string | undefined;
  ip?: string | undefined;
  userAgent?: string | undefined;
}

/** One status transition for a recipient, with the delay since the previous one. */
export interface Step extends Omit<Simulation, 'outcome' | 'delayMs'> {
  name: StepName;
  afterMs: number;
}
