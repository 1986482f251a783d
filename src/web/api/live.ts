import type { Client } from '../../client/client.js';
import { Follower } from './follower.js';

export type Connection = 'connecting' | 'live' | 'lost';

/** An event of the server, as webhooks receive it. */
export interface LiveEvent {
  type: string;
  data: { email_id?: string; to?: string; subject?: string };
}

interface LiveOptions {
  client: Client;
  /**
   * Called with the groups of data that may have changed, and the IDs of the emails in question, unless it may be
   * any; with `all` after each connection. Changes are kept until it resolves.
   */
  onChange(groups: Iterable<string> | 'all', emails?: ReadonlySet<string>): Promise<void>;
  onEvent(event: LiveEvent): void;
}

/**
 * The longest pauses after a read of changes. The first pause is as long as the read took; it doubles while events follow
 * so closely that they would keep the page or the server busy.
 */
const PAUSE_MS_MAX = 200;
const BUSY_PAUSE_MS = 1_000;
/** How long what happens to an email later waits for the next new email, to be read with it. */
const LATER_MS = 100;
const NEW_EMAIL = 'email.sent';
/** Data that changes without an event, and is read again with each comment of the stream. */
const CHANGED_WITHOUT_EVENT = ['emails', 'summary', 'clock', 'rules', 'faults'];
/** Data that events without a group of their own change. */
const CHANGED_BY_EMAIL_EVENTS = ['emails', 'summary', 'suppressions', 'deliveries', 'analytics', 'rules', 'faults'];

/** Follows the server's events, and connects again whenever the connection ends. */
export class Live {
  #state: Connection = 'connecting';
  readonly #follower: Follower;
  #isStarted = false;
  #isPaused = false;
  #isReporting = false;
  #isUrgent = false;
  /** Ends the wait for something urgent. */
  #wake: (() => void) | undefined;
  #changed = new Set<string>();
  #emails = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: LiveOptions) {
    this.#follower = new Follower({
      open: (signal) => options.client.stream('events.stream', { query: { attempts: 'true' } }, signal),
      onConnect: () => {
        this.#set('live');
        // Whatever changed before the stream began.
        void options.onChange('all');
      },
      onItem: (item) => {
        if (item === 'comment') this.#note(CHANGED_WITHOUT_EVENT, 'any');
        else if (item.event === 'attempts') this.#note(['deliveries', 'webhooks'], 'none');
        else this.#take(item.data);
      },
      onLoss: () => this.#set('lost'),
    });
  }

  get state(): Connection {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    this.#isStarted = true;
    this.#update();
  }

  stop(): void {
    this.#isStarted = false;
    this.#update();
  }

  /** Ends the connection for a while, or continues with a new one. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#update();
  }

  #update(): void {
    if (this.#isStarted && !this.#isPaused) this.#follower.start();
    else if (this.#follower.isStarted) {
      this.#follower.stop();
      this.#set('connecting');
    }
  }

  /** Connects now, if it waits to connect. */
  readonly retry = (): void => this.#follower.retry();

  #take(data: string): void {
    const event = JSON.parse(data) as LiveEvent;
    const [kind = ''] = event.type.split('.');
    this.#note(
      kind === 'email' ? CHANGED_BY_EMAIL_EVENTS : [`${kind.replace('_', '-')}s`, 'deliveries'],
      event.data.email_id ?? 'none',
      kind !== 'email' || event.type === NEW_EMAIL,
    );
    this.options.onEvent(event);
  }

  /** Reports changes that another stream announced. */
  readonly reportChange = (groups: readonly string[]): void => this.#note(groups, 'none');

  /** Reports the first urgent change at once, and those that follow closely together. */
  #note(groups: readonly string[], email: string, isUrgent = true): void {
    for (const group of groups) this.#changed.add(group);
    this.#emails.add(email);
    if (isUrgent) {
      this.#isUrgent = true;
      this.#wake?.();
    }
    if (!this.#isReporting) void this.#report();
  }

  /** A report waits for the reads of the one before it, which it would cancel. */
  async #report(): Promise<void> {
    this.#isReporting = true;
    let before = 0;
    while (this.#changed.size > 0) {
      await this.#untilUrgent();
      const [changed, emails] = [this.#changed, this.#emails];
      this.#changed = new Set();
      this.#emails = new Set();
      this.#isUrgent = false;
      const began = performance.now();
      await this.options.onChange(changed, emails.has('any') ? undefined : emails);
      const usual = Math.min(PAUSE_MS_MAX, performance.now() - began);
      const pauseMs = Math.min(BUSY_PAUSE_MS, Math.max(usual, 2 * before));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      before = this.#isUrgent ? pauseMs : 0;
    }
    this.#isReporting = false;
  }

  async #untilUrgent(): Promise<void> {
    if (this.#isUrgent) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LATER_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #set(state: Connection): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
