/** Defines the headers of a webhook request. Specification: Events. */

export const PAYLOAD_VERSION = '1.0';

export const SIGNATURE_HEADER = 'X-Service-Signature';

/** The number of the attempt, counted from 1. Not in the specification; receivers may ignore it. */
export const ATTEMPT_HEADER = 'X-Service-Attempt';
