import { printableWarningText, type ServiceWarning, type WarningCode } from '../contract/vocabulary/warnings.js';
import type { ReceivedEnvelope } from '../core/model/received.js';
import type { ParsedMessage } from '../core/ports.js';

/** Refusals of commands and messages, also of what only a strict server refuses. Gap 40. */

/** Returns findings about the parts of a message. Each is a reason to refuse it. */
export interface StrictChecks {
  /** @param announced what the command itself announces */
  sender(address: string, announced: readonly ServiceWarning[]): Promise<ServiceWarning[]>;
  recipient(address: string, announced: readonly ServiceWarning[]): ServiceWarning[];
  message(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]>;
}

/** Response codes other than 550, with enhanced ones where those of `send` do not fit. */
const RESPONSES: Partial<Record<WarningCode, readonly [code: number, enhanced?: string]>> = {
  single_label_domain: [553],
  unusual_domain: [553],
  unknown_smtp_parameter: [555, '5.5.4'],
  missing_smtputf8: [553, '5.6.7'],
  invalid_header: [554],
  ignored_outcome: [554],
  unknown_header: [554],
  unused_template: [554],
  unused_variables: [554],
  // Both are temporary, and caused by a policy.
  message_rate: [450, '4.7.1'],
  monthly_quota: [452, '4.7.1'],
};

/** The address of a sender is invalid. The default for 553 is 5.1.3, the address of a recipient. */
const BAD_SENDER = '5.1.7';

/** Returns the refusal of a part with findings. Its text is the first one's, with its code. */
export function strictRefusal([first, ...others]: readonly ServiceWarning[]): Error | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const [code, enhanced] = RESPONSES[first.code] ?? [550];
  const text = `${printableWarningText(first)}${more}`;
  return code === 553 && !enhanced && first.path === 'from' ? senderRefusal(text) : refusal(code, text, enhanced);
}

/** Makes the refusal of a sender whose address is invalid. */
export function senderRefusal(message: string): Error {
  return refusal(553, message, BAD_SENDER);
}

/** Makes an error that smtp-server replies with. `enhanced` is its enhanced status code, by default that of `send`. */
export function refusal(responseCode: number, message: string, enhanced?: string): Error {
  return Object.assign(new Error(enhanced ? `${enhanced} ${message}` : message), { responseCode });
}
