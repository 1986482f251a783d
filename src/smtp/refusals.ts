import { printableWarningText, type ServiceWarning, type WarningCode } from '../contract/vocabulary/warnings.js';
import type { ReceivedMessage } from '../core/model/received.js';

/** Refusals of commands and messages, also of what only a strict server refuses. Gap 40. */

/** Returns findings about the parts of a message. Each is a reason to refuse it. */
export interface StrictChecks {
  sender(address: string): Promise<ServiceWarning | undefined>;
  recipient(address: string): ServiceWarning | undefined;
  message(message: ReceivedMessage): Promise<ServiceWarning[]>;
}

/** Response codes other than 550. smtp-server adds the enhanced ones: 5.1.3, and 5.6.0 for what a header asks for. */
const RESPONSE_CODES: Partial<Record<WarningCode, number>> = {
  single_label_domain: 553,
  invalid_header: 554,
  unused_template: 554,
  unused_variables: 554,
};

/** Returns the refusal of a part with findings. Its text is the first one's, with its code. */
export function strictRefusal([first, ...others]: readonly ServiceWarning[]): Error | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return refusal(RESPONSE_CODES[first.code] ?? 550, `${printableWarningText(first)}${more}`);
}

/** Makes an error that smtp-server replies with. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
