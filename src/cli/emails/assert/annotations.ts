import type { Check } from '../../../client/checks/check.js';
import { networkFetch } from '../../target/network-fetch.js';
import { userAgent } from '../../target/target.js';

/** Writes workflow commands of GitHub Actions: https://docs.github.com/actions/reference/workflow-commands */

/** Returns an annotation for each failed check, one per line. */
export function annotationsOf(checks: readonly Check[]): string[] {
  return checks
    .filter(({ passed }) => !passed)
    .map(({ name, message, details }) => {
      const text = details === undefined ? message : `${message}\n${details}`;
      return `::error title=${escapeProperty(`svc emails assert: ${name}`)}::${escapeData(text)}`;
    });
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

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
