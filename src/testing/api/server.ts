/// <reference lib="esnext.disposable" />

import type {
  ClockState,
  ControlOperations,
  Outcome,
  Rule,
  ServiceOperations,
  Template,
  WebhookEvents,
} from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import type { AddressInbox, Duration, Inbox, ReceivedEmail } from './emails.js';

/** Defines a server for tests, and what controls it. */

export interface ServerOptions {
  /**
   * Runs the server in the process of the test, which starts faster. Fake timers and request interceptors of the test
   * then reach it.
   */
  inProcess?: boolean | undefined;
  /** Starts a server even if `SVC_BASE_URL` leads to one. */
  fresh?: boolean | undefined;
  /**
   * Start of the workspace’s name. On a server that `SVC_BASE_URL` names, creates a workspace and uses its key, so that other tests on
   * that server neither see nor delete its emails. Without effect on a server of its own.
   */
  workspace?: string | undefined;
  /** Sending domains to add and verify. */
  domains?: readonly string[] | undefined;
  /** Refuses requests that the service may refuse, such as emails from other domains. */
  strict?: boolean | undefined;
  /** Plan whose limits apply (default: none). */
  plan?: 'free' | 'indie' | 'startup' | 'growth' | 'enterprise' | 'none' | undefined;
  /** Time from sending an email to its outcome (default: 0). */
  deliveryDelay?: Duration | undefined;
  /** Delays between attempts of a webhook (default: 5, 30 and 120 seconds, on the service’s clock). */
  retrySchedule?: readonly Duration[] | undefined;
  /** API key to accept (default: a random one). Starts with `svc_test_` or `svc_live_`. */
  apiKey?: string | undefined;
  /** Secret that signs temporary webhooks (default: a random one). */
  webhookSecret?: string | undefined;
  /** Port of the API (default: a free one). */
  httpPort?: number | undefined;
  /** Port of SMTP (default: a free one). */
  smtpPort?: number | undefined;
}

/** A server for tests. */
export interface TestServer extends AsyncDisposable {
  /** The base URL of the API, which ends with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** @throws Error if the server that `SVC_BASE_URL` names has no SMTP. */
  readonly smtp: { readonly host: string; readonly port: number };
  readonly webhookSecret: string;
  /** Environment variables for the application under test. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls the API and the control API. Fake timers and request interceptors do not affect it. */
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly templates: Templates;
  readonly webhooks: Webhooks;
  /** All emails of the server, or of the workspace. */
  readonly emails: Inbox;
  /** Returns the inbox of an address; without one, of an address that no other inbox has. */
  inbox(address?: string): AddressInbox;
  /** Simulates what happens to a sent email. */
  simulate(
    email: ReceivedEmail | string,
    outcome: Outcome,
    options?: Omit<ControlOperations['emails.simulate']['request']['body'], 'outcome'>,
  ): Promise<ControlOperations['emails.simulate']['result']>;
  /**
   * Deletes all data and resets the clock. The address, the API key and the domains of the start remain. With the key of
   * a workspace, deletes only its emails and webhooks.
   */
  reset(): Promise<void>;
  /** Stops the server. A server that ran before is left running. */
  close(): Promise<void>;
}

/** The clock of the service. Delays, schedules and retries run on it. */
export interface Clock {
  now(): Promise<Date>;
  /** Moves the clock forward and runs everything that falls due. */
  advance(by: Duration): Promise<ClockState>;
  /** Sets the time, and runs everything that falls due in between. */
  set(time: Date | string): Promise<ClockState>;
  freeze(time?: Date | string): Promise<ClockState>;
  /** Returns to the machine’s time. */
  reset(): Promise<ClockState>;
}

export type NewRule = ControlOperations['rules.create']['request']['body'];

/** Outcomes by recipient. */
export interface Rules {
  /** Adds a rule, which takes precedence over existing ones: `add('*@corp.test', 'bounced')`. */
  add(to: string, outcome: Outcome, options?: Omit<NewRule, 'to' | 'outcome'>): Promise<Rule>;
  list(): Promise<Rule[]>;
  remove(rule: Rule | string): Promise<void>;
  clear(): Promise<void>;
}

export type NewTemplate = ServiceOperations['templates.create']['request']['body'];
export type TemplateChange = ServiceOperations['templates.update']['request']['body'];

export interface Templates {
  create(template: NewTemplate): Promise<Template>;
  get(id: string): Promise<Template>;
  update(id: string, change: TemplateChange): Promise<Template>;
  delete(id: string): Promise<void>;
  render(
    id: string,
    variables?: ServiceOperations['templates.render']['request']['body']['variables'],
  ): Promise<ServiceOperations['templates.render']['result']>;
}

/** Conditions of a delivery. */
export interface DeliveryCriteria {
  /** The email that the event is about. */
  email?: ReceivedEmail | string | undefined;
  /** The recipient that the event is about. */
  to?: string | undefined;
  /** Part of the receiver’s URL. */
  url?: string | undefined;
  /** Time to wait, on the machine’s clock (default: 4 seconds). */
  timeout?: Duration | undefined;
  /** Considers only events after that of this delivery. */
  since?: Pick<Delivery<keyof WebhookEvents>, 'event_seq'> | undefined;
}

/** A webhook request that the receiver accepted. */
export interface Delivery<Type extends keyof WebhookEvents> {
  id: string;
  webhook_id: string;
  url: string;
  /** Number of attempts that it took. */
  attempts: number;
  /** Status of the response. */
  status: number;
  /** Position of the event in the order of events. */
  event_seq: number;
  event: WebhookEvents[Type];
}

export interface Webhooks {
  /**
   * Waits until a receiver has accepted an event with a status from 200 to 299. Events since `startServer()` or the last
   * `reset()` count, also those before the call.
   * @throws WaitError at the time-out, with the attempts that failed.
   */
  waitFor<Type extends keyof WebhookEvents>(type: Type, criteria?: DeliveryCriteria): Promise<Delivery<Type>>;
}
