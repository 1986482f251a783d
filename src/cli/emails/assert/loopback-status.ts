import { networkFetch } from '../../target/network-fetch.js';
import { userAgent } from '../../target/target.js';

const TIMEOUT_SECONDS = 10;

/** Requests a URL of this machine without credentials, and returns the status. Follows no redirect, reads no body. */
export async function loopbackStatus(url: string): Promise<number> {
  const end = new AbortController();
  const fetch = networkFetch(url, { timeoutSeconds: TIMEOUT_SECONDS, env: {} });
  try {
    const headers = { 'user-agent': userAgent };
    return (await fetch(url, { method: 'GET', headers, signal: end.signal })).status;
  } catch (error) {
    const { reasonOf } = await import('../../../client/failures.js');
    throw new Error(reasonOf(error));
  } finally {
    end.abort();
  }
}
