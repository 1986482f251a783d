import type { AppOptions } from '../../../src/app/app.js';
import { type Answer, startApp, TEST_KEY, type TestApp } from '../servers/app.js';

/** Starts the service with real ports, for clients that meet faults. */

export interface Serving {
  app: TestApp;
  smtp: { host: string; port: number };
  /** Calls the service over a real connection. */
  request(method: string, path: string, body?: object): Promise<Response>;
  /** Adds a fault. Returns it. */
  add(fault: object): Promise<Answer['json']>;
  list(): Promise<Answer['json'][]>;
  /** Returns the subjects of all emails, oldest first. */
  subjects(): Promise<string[]>;
  /** Returns the codes and messages of the newest email's warnings. */
  warnings(): Promise<{ code: string; message: string }[]>;
}

export async function startServing(options: Partial<AppOptions> = {}): Promise<Serving> {
  // A verified domain, so that emails have no other notes.
  const app = await startApp({ domains: ['example.test'], ...options });
  const local = { host: '127.0.0.1', port: 0 };
  const { baseUrl, smtp } = await app.listen({ http: local, smtp: local });
  const emails = async () => (await app.read('/_svc/emails')).emails;
  return {
    app,
    smtp,
    request: (method, path, body) =>
      fetch(new URL(baseUrl).origin + path, {
        method,
        headers: { authorization: `Bearer ${TEST_KEY}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async add(fault) {
      const { status, json } = await app.call('POST', '/_svc/faults', fault);
      if (status !== 201) throw new Error(JSON.stringify(json));
      return json.data;
    },
    list: async () => (await app.read('/_svc/faults')).faults,
    subjects: async () => (await emails()).map(({ subject }: { subject: string }) => subject).toReversed(),
    warnings: async () => (await app.read(`/_svc/emails/${(await emails())[0].id}`)).warnings,
  };
}
