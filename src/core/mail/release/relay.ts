import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { firstFew } from '../../../contract/vocabulary/helpers/first-few.js';
import type { SmtpTarget } from '../../outgoing-mail.js';

/** The SMTP server that emails are released to, and who may receive them. */
export interface Relay extends SmtpTarget {
  /** Patterns of the recipients of a release, in which `*` matches any text. */
  allow: readonly string[];
  /** Patterns of recipients whose emails are released automatically. Each is allowed, too. */
  auto: readonly string[];
}

/** @throws ServiceError `forbidden` unless every recipient is allowed. */
export function checkAllowed({ allow, auto }: Relay, recipients: readonly string[]): void {
  const patterns = [...allow, ...auto];
  const refused = recipients.filter((address) => !patterns.some((pattern) => matchesRecipient(pattern, address)));
  if (refused.length === 0) return;
  const hint =
    'Start the server with --relay-allow PATTERN, or pass other recipients with --to (to in the request). ' +
    (patterns.length === 0 ? 'No recipient is allowed by default.' : `Allowed: ${firstFew(patterns)}.`);
  const be = refused.length === 1 ? 'is' : 'are';
  throw new ServiceError(
    'forbidden',
    `${firstFew(refused)} ${be} not an allowed recipient of a release.`,
    undefined,
    hint,
  );
}
