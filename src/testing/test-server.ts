import { Client } from '../client/client.js';
import { ApiFailure } from '../client/failures.js';
import type { ServiceClient } from '../client/service-client.js';
import { toServiceClient, userAgent } from '../client/typed-calls.js';
import type { AddressInbox, Inbox } from './api/emails.js';
import type { Clock, Rules, Templates, TestServer, Webhooks } from './api/server.js';
import type { Connection, ServerAddress } from './connection/connection.js';
import { millisecondsOf, uniqueAddress } from './mail/criteria.js';
import { createInbox } from './mail/inbox.js';
import type { WaitListener } from './mail/wait.js';
import { createWebhooks } from './service/webhooks.js';

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

/** Returns the functions for templates. */
function createTemplates(client: ServiceClient): Templates {
  return {
    create: (template) => client.call('templates.create', { body: template }),
    get: (id) => client.call('templates.get', { params: { id } }),
    update: (id, change) => client.call('templates.update', { params: { id }, body: change }),
    delete: (id) => client.call('templates.delete', { params: { id } }),
    render: (id, variables = {}) => client.call('templates.render', { params: { id }, body: { variables } }),
  };
}

/** Returns the functions for outcome rules. */
function createRules(client: ServiceClient): Rules {
  const list = async () => (await client.control('rules.list')).rules;
  const remove = (rule: { id: string } | string) =>
    client.control('rules.delete', { params: { id: typeof rule === 'string' ? rule : rule.id } });
  return {
    add: (to, outcome, options = {}) => client.control('rules.create', { body: { ...options, to, outcome } }),
    list,
    remove,
    async clear() {
      for (const rule of await list()) await remove(rule);
    },
  };
}

/** Returns the functions that control the service's clock. */
function createClock(client: ServiceClient): Clock {
  const update = (body: { now?: string; frozen?: boolean } | { offset_ms: 0 }) =>
    client.control('clock.update', { body });
  return {
    now: async () => new Date((await client.control('clock.get')).now),
    advance: (by) => client.control('clock.advance', { body: { by: `${millisecondsOf(by, 'by')}ms` } }),
    set: (time) => update({ now: textOf(time) }),
    freeze: (time) => update({ frozen: true, ...(time !== undefined && { now: textOf(time) }) }),
    reset: () => update({ offset_ms: 0 }),
  };
}

function textOf(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}
