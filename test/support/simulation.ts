import type { TestApp } from './servers/app.js';

/** Provides the steps that scenarios of outcomes, suppression and time repeat. */

const SENDER = 'shop@example.test';

/** Sends an email over REST and returns its id. */
export async function send(
  app: TestApp,
  to: string | string[],
  { headers = {}, ...overrides }: Record<string, unknown> & { headers?: Record<string, string> } = {},
): Promise<string> {
  const body = {
    to,
    from: SENDER,
    subject: 'Your order',
    html: '<a href="https://shop.test/o/7">it</a>',
    ...overrides,
  };
  const sent = await app.call('POST', '/v1/emails', body, headers);
  if (sent.status !== 201) throw new Error(`not sent: ${JSON.stringify(sent.json)}`);
  return sent.json.data.id;
}

export async function detailOf(app: TestApp, id: string) {
  return (await app.call('GET', `/v1/emails/${id}`)).json.data;
}

/** Returns the types of an email's events in order, without the prefix `email.`. */
export async function typesOf(app: TestApp, id: string): Promise<string[]> {
  const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  return events.map(({ type }: { type: string }) => type.replace('email.', ''));
}

/** Returns the status of each recipient. */
export async function recipientsOf(app: TestApp, id: string): Promise<Record<string, string>> {
  const { recipients } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  return Object.fromEntries(recipients.map(({ mailbox, status }: Record<string, string>) => [mailbox, status]));
}
