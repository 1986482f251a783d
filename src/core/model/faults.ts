import type { ErrorCode } from '../../contract/vocabulary/errors.js';
import type { FaultDrop, FaultStage } from '../../contract/vocabulary/faults/forms.js';
import type { FaultPreset } from '../../contract/vocabulary/faults/presets.js';

/** A failure to inject where a request, a command or a webhook attempt matches. */
export interface FaultRecord {
  id: string;
  /** The target: exactly one of these three is set. */
  smtp: FaultStage | null;
  /** A method and a path. */
  http: string | null;
  /** A URL in which `*` matches any text. */
  webhook: string | null;
  /** The status of an SMTP reply or an HTTP response. */
  code: number | null;
  /** The text of the reply or the error, or the body of the receiver's response. */
  text: string | null;
  /** The code of the service's error. */
  error: ErrorCode | null;
  delayMs: number | null;
  drop: FaultDrop | null;
  /** Whether the response ends before its end. */
  truncate: boolean;
  /** The wait that the response asks for. */
  retryAfterMs: number | null;
  /** Time on the service's clock after which a deferred recipient is accepted. */
  greylistMs: number | null;
  /** Maximum number of hits; null for no limit. */
  times: number | null;
  /** Hits every nth match. */
  every: number | null;
  /** The part of the matches to hit, more than 0 and at most 1. */
  probability: number | null;
  /** The seed of the decisions by probability. */
  seed: number;
  /** Number of messages that a connection may send first. */
  afterMessages: number | null;
  /** Pattern of the sender. */
  sender: string | null;
  /** Pattern of a recipient. */
  recipient: string | null;
  /** Query that the email must match. */
  query: string | null;
  /** The preset that the fault belongs to. */
  preset: FaultPreset | null;
  /** Number of matches so far, of which `every` and `probability` choose. */
  seen: number;
  /** Number of times that the fault was injected. */
  hits: number;
  /** The workspace whose requests, sessions and webhooks it is injected into; null for those of no workspace. */
  workspace: string | null;
  createdAt: number;
}
