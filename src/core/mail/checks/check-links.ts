import type { LinkChecks, LinkResult } from '../../../contract/control/emails/check.js';
import { isLoopback } from '../../../contract/vocabulary/domains.js';
import { loopbackProblem, toAllowHost } from '../../account/outbound-hosts.js';
import type { Core } from '../../context.js';
import type { RequestLink } from '../../ports.js';
import { CLICK_PATH, OPEN_PATH } from '../tracking/tracking.js';

/** Requests the links of an email. */

/** Maximum number of links of one email to request, and at once. */
const REQUESTED_MAX = 100;
const AT_ONCE = 8;
const TIMEOUT_MS = 5_000;
const ERROR_STATUS = 400;

export interface LinkDeps extends Pick<Core, 'publicUrl' | 'outboundHosts'> {
  requestLink: RequestLink;
  /** Fires when the client disconnects, or the server stops. */
  signal: AbortSignal;
}

/** Requests links, each once. `remote` allows other machines. */
export async function checkLinks(
  id: string,
  urls: readonly string[],
  remote: boolean,
  deps: LinkDeps,
): Promise<LinkChecks> {
  const distinct = [...new Set(urls)];
  let requested = 0;
  const plans = distinct.map((url) => {
    const reason = skipReason(url, remote, deps) ?? (requested === REQUESTED_MAX ? TOO_MANY : undefined);
    if (reason === undefined) requested += 1;
    return { url, reason };
  });
  const links: LinkResult[] = plans.map(({ url, reason = '' }) => ({
    url,
    result: 'skipped',
    status: null,
    details: reason,
  }));
  const remaining = plans.entries();
  const requestRemaining = async () => {
    for (const [index, { url, reason }] of remaining) {
      if (reason === undefined && !deps.signal.aborted) links[index] = await resultOf(url, remote, deps);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, requestRemaining));
  const count = (result: LinkResult['result']) => links.filter((each) => each.result === result).length;
  return { id, ok: count('ok'), failed: count('failed'), skipped: count('skipped'), links };
}

const TOO_MANY = `Only the first ${REQUESTED_MAX} links are requested.`;

function skipReason(url: string, remote: boolean, { publicUrl, outboundHosts }: LinkDeps): string | undefined {
  if (!URL.canParse(url)) return 'This is not a complete URL.';
  const { protocol, hostname, pathname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'This link does not lead to the web.';
  const own = new URL(publicUrl());
  const isOwn = port === own.port && (hostname === own.hostname || (isLoopback(hostname) && isLoopback(own.hostname)));
  const isTracked = pathname.startsWith(CLICK_PATH) || pathname.startsWith(OPEN_PATH);
  if (isOwn && isTracked) return 'A request would record a click.';
  const problem = loopbackProblem(hostname, outboundHosts);
  if (problem !== undefined) return `${problem}. To allow it, ${toAllowHost(hostname)}.`;
  return remote || isLoopback(hostname) ? undefined : 'This link leads to another machine.';
}

async function resultOf(url: string, remote: boolean, { requestLink, signal }: LinkDeps): Promise<LinkResult> {
  const { status, location, error } = await requestLink({ url, remote, timeoutMs: TIMEOUT_MS, signal });
  if (status === null) return { url, result: 'failed', status, details: `No response: ${error}.` };
  if (status >= ERROR_STATUS) return { url, result: 'failed', status, details: `The server responds with ${status}.` };
  return { url, result: 'ok', status, details: location === null ? '' : `Redirects to ${location}` };
}
