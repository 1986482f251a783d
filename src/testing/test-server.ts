import { Client } from '../client/client.js';
import type { ServiceClient } from '../client/service-client.js';
import { toServiceClient, userAgent } from '../client/typed-calls.js';
import type { AddressInbox, Inbox } from './api/emails.js';
import type { Clock, Rules, Templates, TestServer, Webhooks } from './api/server.js';
import type { Connection, ServerAddress } from './connection/connection.js';
import { createInbox } from './mail/inbox.js';
import { createClock } from './service/clock.js';
import { createRules } from './service/rules.js';
import { createTemplates } from './service/templates.js';
import { createWebhooks } from './service/webhooks.js';
import { uniqueAddress } from './unique-address.js';

export interface TestServerParts {
  address: ServerAddress;
  connection: Connection;
  /** The earliest emails that waits consider, as the API reads it. */
  since: string;
  /** Variables for the application that the environment does not have yet. */
  variables: Record<string, string>;
}

/** Assembles what the kit offers for a server. */
export class ConnectedServer implements TestServer {
  readonly env: Readonly<Record<string, string>>;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly templates: Templates;
  readonly webhooks: Webhooks;
  readonly emails: Inbox;
  readonly #parts: TestServerParts;
  #closed: Promise<void> | undefined;

  constructor(parts: TestServerParts) {
    this.#parts = parts;
    const { address, connection, variables } = parts;
    const { baseUrl, apiKey, smtp, webhookSecret } = address;
    this.env = {
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: apiKey,
      SVC_SMTP_HOST: smtp.host,
      SVC_SMTP_PORT: String(smtp.port),
      SVC_WEBHOOK_SECRET: webhookSecret,
      ...variables,
    };
    const client = new Client({ baseUrl, apiKey, userAgent, fetch: connection.fetch });
    this.client = toServiceClient(baseUrl, client);
    this.clock = createClock(this.client);
    this.rules = createRules(this.client);
    this.templates = createTemplates(this.client);
    this.webhooks = createWebhooks(client, connection);
    this.emails = createInbox(this.#mailbox);
  }

  get baseUrl(): string {
    return this.#parts.address.baseUrl;
  }

  get apiKey(): string {
    return this.#parts.address.apiKey;
  }

  get smtp(): ServerAddress['smtp'] {
    return this.#parts.address.smtp;
  }

  get webhookSecret(): string {
    return this.#parts.address.webhookSecret;
  }

  inbox(address: string = uniqueAddress()): AddressInbox {
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
      throw new TypeError(`inbox() needs an address such as "ada@example.test", not ${JSON.stringify(address)}.`);
    }
    return createInbox(this.#mailbox, address);
  }

  simulate: TestServer['simulate'] = (email, outcome, options = {}) => {
    const id = typeof email === 'string' ? email : email.id;
    return this.client.control('emails.simulate', { params: { id }, body: { ...options, outcome } });
  };

  async reset(): Promise<void> {
    await Promise.all([this.client.control('reset'), this.clock.reset()]);
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.connection.close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #mailbox() {
    return { client: this.client, since: this.#parts.since };
  }
}
