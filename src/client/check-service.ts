import type { OperationName } from '../contract/service/endpoints.js';
import { routes } from '../contract/vocabulary/routes.js';
import type { Client } from './client.js';
import { type Difference, differencesOf, refusalDifferencesOf } from './differences.js';
import { ApiFailure, UnreachableError } from './failures.js';
import type { Exchange } from './retry.js';

/** Reads from every endpoint of a service that only reads, and compares the answers with the specification. */

export interface ServiceCheck {
  checked: { endpoint: string; status: number }[];
  differences: Difference[];
}

/** An ID that no email has. */
const NO_EMAIL = 'msg_00000000000000000000000000';
const PAGE = { query: { limit: 5 } };

/**
 * Checks a service. The client adds each answer that it receives to `received`.
 * @throws the error of a call that says nothing about the form of answers, such as a refused key.
 */
export async function checkService(client: Client, received: Exchange[]): Promise<ServiceCheck> {
  const differences: Difference[] = [];
  const checked: ServiceCheck['checked'] = [];
  const read = async <T>(operation: OperationName, call: Promise<T>): Promise<T | undefined> => {
    const endpoint = `${routes[operation].method} ${routes[operation].path}`;
    const result = await call.catch((error: Error) => {
      if (error instanceof ApiFailure && isNoAnswer(error)) throw error;
      if (received.length === 0 && !(error instanceof UnreachableError && error.answered)) throw error;
      const [refusal] = received;
      const status = refusal === undefined ? '' : `${refusal.status}: `;
      differences.push({ endpoint, field: 'answer', found: status + error.message, specified: true });
      return undefined;
    });
    const [last] = received.splice(0).slice(-1);
    if (last) checked.push({ endpoint, status: last.status });
    if (last && result !== undefined) differences.push(...differencesOf(operation, last));
    return result;
  };
  const emails = await read('emails.list', client.call('emails.list', PAGE));
  const templates = await read('templates.list', client.call('templates.list', PAGE));
  const domains = await read('domains.list', client.call('domains.list', {}));
  await read('api-keys.list', client.call('api-keys.list', {}));
  await read('webhooks.list', client.call('webhooks.list', {}));
  await read('analytics.emails', client.call('analytics.emails', {}));
  const email = emails?.emails[0]?.id;
  const template = templates?.templates[0]?.id;
  const domain = domains?.domains[0]?.domain;
  if (email) await read('emails.get', client.call('emails.get', { params: { id: email } }));
  if (template) await read('templates.get', client.call('templates.get', { params: { id: template } }));
  if (domain) await read('domains.get', client.call('domains.get', { params: { domain } }));
  await client.call('emails.get', { params: { id: NO_EMAIL } }).catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || isNoAnswer(error)) throw error;
  });
  const [refusal] = received;
  if (refusal) differences.push(...refusalDifferencesOf('GET /emails/{id} of no email', refusal));
  return { checked, differences };
}

/** Returns whether a failure says nothing about the form of answers: a wrong key, a rate limit, or a broken server. */
const isNoAnswer = ({ status }: ApiFailure) => status === 401 || status === 429 || status >= 500;
