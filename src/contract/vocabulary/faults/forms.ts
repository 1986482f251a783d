/** Defines the words of faults. Separate from the schemas, so that commands start without zod. */

/** Stages of an SMTP session. `end` is the end of a message's content. */
export const faultStages = ['connect', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'end'] as const;
export type FaultStage = (typeof faultStages)[number];

/** When a connection is closed: before the request is processed, or after it, in place of its reply. */
export const faultDrops = ['before', 'after'] as const;
export type FaultDrop = (typeof faultDrops)[number];

/** The end of every text that a fault makes up. */
export const INJECTED = '(injected by svc)';

/** The longest delay of a fault. */
export const FAULT_DELAY_MAX_MS = 3_600_000;
/** The wait that a fault with the status 429 or 503 asks for by default. */
export const RETRY_AFTER_DEFAULT_MS = 1_000;
/** Maximum number of faults. */
export const FAULTS_MAX = 1_000;
/** Largest value of the numbers that select requests. */
export const FAULT_NUMBER_MAX = 1_000_000;
/** Maximum characters of a reply, a message or a response body that a fault makes up. */
export const FAULT_TEXT_CHARACTERS = 512;
