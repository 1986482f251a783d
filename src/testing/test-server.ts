import { Client } from '../client/client.js';
import { ApiFailure } from '../client/failures.js';
import type { ServiceClient } from '../client/service-client.js';
import { toServiceClient, userAgent } from '../client/typed-calls.js';
import type { AddressInbox, Inbox } from './api/emails.js';
import type { Clock, Rules, Templates, TestServer, Webhooks } from './api/server.js';
import type { Connection, ServerAddress } from './connection/connection.js';
import { createInbox } from './mail/inbox.js';
import type { WaitListener } from './mail/wait.js';
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
  /** Sequence number of the last event that waits for webhooks do not consider. */
  lastEvent: number;
  /** Domain of the addresses of inboxes. */
  domain: string;
  /** Variables for the application that the environment does not have yet. */
  variables: Record<string, string>;
  onWait?: WaitListener | undefined;
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
  #lastEvent: number;
  #closed: Promise<void> | undefined;

  constructor(parts: TestServerParts) {
    this.#parts = parts;
    const { address, connection, variables } = parts;
    this.#lastEvent = parts.lastEvent;
    const { baseUrl, apiKey, smtp, webhookSecret } = address;
    this.env = {
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: apiKey,
      ...(smtp && { SVC_SMTP_HOST: smtp.host, SVC_SMTP_PORT: String(smtp.port) }),
      SVC_WEBHOOK_SECRET: webhookSecret,
      ...variables,
    };
    const client = new Client({ baseUrl, apiKey, userAgent, fetch: connection.fetch });
    this.client = toServiceClient(baseUrl, client);
    this.clock = createClock(this.client);
    this.rules = createRules(this.client);
    this.templates = createTemplates(this.client);
    this.webhooks = createWebhooks(client, connection, () => this.#lastEvent);
    this.emails = createInbox(this.#mailbox);
  }

  get baseUrl(): string {
    return this.#parts.address.baseUrl;
  }

  get apiKey(): string {
    return this.#parts.address.apiKey;
  }

  get smtp(): TestServer['smtp'] {
    const { smtp } = this.#parts.address;
    if (!smtp) throw new Error(`The server at ${this.baseUrl} has no SMTP.`);
    return smtp;
  }

  get webhookSecret(): string {
    return this.#parts.address.webhookSecret;
  }

  inbox(address: string = uniqueAddress(this.#parts.domain)): AddressInbox {
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
      throw new TypeError(`inbox() needs an address such as "ada@example.test", not ${JSON.stringify(address)}.`);
    }
    if (address.includes('*')) {
      throw new TypeError(
        `inbox() needs one address, not the pattern ${JSON.stringify(address)}. ` +
          'For a pattern, use svc.emails with criteria such as { to: /@example\\.test$/ }.',
      );
    }
    return createInbox(this.#mailbox, address);
  }

  simulate: TestServer['simulate'] = (email, outcome, options = {}) => {
    const id = typeof email === 'string' ? email : email.id;
    return this.client.control('emails.simulate', { params: { id }, body: { ...options, outcome } });
  };

  async reset(): Promise<void> {
    const [isWhole] = await Promise.all([this.#resetClock(), this.client.control('reset')]);
    // A reset of the whole server leaves no events. One of a workspace leaves those of others.
    this.#lastEvent = isWhole ? 0 : (await this.client.control('info')).last_event;
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.connection.close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns whether the key is that of the server: the key of a workspace cannot change the clock. */
  async #resetClock(): Promise<boolean> {
    try {
      await this.clock.reset();
      return true;
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 403) return false;
      throw error;
    }
  }

  get #mailbox() {
    const { since, onWait } = this.#parts;
    return { client: this.client, since, onWait };
  }
}
