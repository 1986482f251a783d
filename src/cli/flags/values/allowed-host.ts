import { isIPv6 } from 'node:net';
import { UsageError } from '../../errors/exit-codes.js';

/** Characters that cannot be part of a host name: other parts of a URL, and wildcards. */
const NOT_OF_A_NAME = /[\s/\\:?#@*]/;

/**
 * Returns a host of the flag --allow-host or --allow-webhook-host, in the form of a URL.
 * @throws UsageError when the text is not a single name or address.
 */
export function readAllowedHost(flag: string, text: string): string {
  const url = `http://${isIPv6(text) ? `[${text}]` : text}`;
  if ((isIPv6(text) || !NOT_OF_A_NAME.test(text)) && URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `${flag} must be a host name or an IP address, not ${JSON.stringify(text)}.`,
    `Leave out scheme and port, as in ${flag} app. Wildcards are not allowed; repeat the flag instead.`,
  );
}
