/** What a webhook request carries besides its events. Specification: Events. */

export const PAYLOAD_VERSION = '1.0';

export const SIGNATURE_HEADER = 'X-Service-Signature';

/** Which attempt a delivery is, from 1. Not in the specification; receivers may ignore it. */
export const ATTEMPT_HEADER = 'X-Service-Attempt';
