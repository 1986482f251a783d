import { isIPv6 } from 'node:net';
import { UsageError } from '../errors/exit-codes.js';

/** What cannot be part of a name: what else a URL is made of, and what people write for any name. */
const NOT_OF_A_NAME = /[\s/\\:?#@*]/;

/**
 * A host to answer to, as a URL has it.
 * @throws UsageError when it is more than a name or an address, or any name.
 */
export function readAllowedHost(text: string): string {
  const url = `http://${isIPv6(text) ? `[${text}]` : text}`;
  if ((isIPv6(text) || !NOT_OF_A_NAME.test(text)) && URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `--allow-host must be a host name or an IP address, not ${JSON.stringify(text)}.`,
    'Leave out scheme and port, as in --allow-host svc. Wildcards are not allowed: any web page could then read captured mail.',
  );
}
