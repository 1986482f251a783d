import { isLoopback } from '../../contract/vocabulary/domains.js';
import { type Check, type CheckedEmail, failed, listed, passed } from './check.js';

/** Returns the status of the answer to a GET request. @throws an error whose message is the reason, if none comes. */
export type GetStatus = (url: string) => Promise<number>;

/** Maximum number of links of one email to request. */
const REQUESTED_MAX = 100;
const REQUESTS_AT_ONCE = 4;
const ERROR_STATUS = 400;

/** Checks that the links to this machine answer with a status below 400. Others are not requested. */
export async function checkLinksOk(email: CheckedEmail, getStatus: GetStatus): Promise<Check> {
  const name = 'links-ok';
  const urls = [...new Set(email.links.map(({ href }) => href))];
  const local = urls.filter(isLocal);
  const skipped = urls.filter((url) => !isLocal(url));
  const problems = await problemsOf(local.slice(0, REQUESTED_MAX), getStatus);
  if (local.length > REQUESTED_MAX) {
    problems.push(`only the first ${REQUESTED_MAX} of ${local.length} links to this machine were requested`);
  }
  const notes = skipped.length > 0 ? [`skipped, because they are not on this machine: ${listed(skipped)}`] : [];
  if (problems.length > 0) return failed(name, [listed(problems), ...notes].join('. '));
  if (urls.length === 0) return passed(name, 'the email has no links');
  return passed(name, [answered(local.length), ...notes].join('; '));
}

function answered(count: number): string {
  if (count === 0) return 'no link leads to this machine';
  return `${count === 1 ? '1 link answers' : `${count} links answer`} with a status below ${ERROR_STATUS}`;
}

/** Returns whether a URL leads to a web server on this machine. */
function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname);
}

async function problemsOf(urls: readonly string[], getStatus: GetStatus): Promise<string[]> {
  const problems: (string | undefined)[] = urls.map(() => undefined);
  const remaining = urls.entries();
  const requestRemaining = async () => {
    for (const [index, url] of remaining) problems[index] = await problemOf(url, getStatus);
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, requestRemaining));
  return problems.filter((problem) => problem !== undefined);
}

async function problemOf(url: string, getStatus: GetStatus): Promise<string | undefined> {
  try {
    const status = await getStatus(url);
    return status < ERROR_STATUS ? undefined : `${url} answers ${status}`;
  } catch (error) {
    return `${url} does not answer: ${(error as Error).message}`;
  }
}
