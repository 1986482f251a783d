import type { AttemptFeed } from '../delivery/ephemeral-subscriptions.js';
import type { WebhookRecord } from '../model/resources.js';
import type { WaitOptions } from './heartbeat-signal.js';

/** Wakes a stream when webhook attempts have ended, as well as for its heartbeat. Several attempts are one notice. */
export class AttemptNotices {
  #isPending = false;
  #isWaking = false;
  #wake: (() => void) | undefined;
  readonly close: () => void;

  constructor(
    feed: AttemptFeed,
    isOwn: (webhook: WebhookRecord) => boolean,
    private readonly heartbeat: WaitOptions['idle'],
  ) {
    this.close = feed.subscribe(({ webhook }) => {
      if (!isOwn(webhook)) return;
      this.#isPending = true;
      this.#wake?.();
    });
  }

  /** The idle period of the stream. */
  readonly idle: WaitOptions['idle'] = (wake) => {
    const cancel = this.heartbeat(wake);
    this.#wake = () => {
      cancel();
      this.#isWaking = true;
      wake();
    };
    if (this.#isPending) this.#wake();
    return () => {
      cancel();
      this.#isWaking = false;
      this.#wake = undefined;
    };
  };

  /** Returns whether attempts have woken the stream, rather than the heartbeat. */
  take(): boolean {
    const isWaking = this.#isWaking;
    this.#isWaking = false;
    if (isWaking) this.#isPending = false;
    return isWaking;
  }
}
