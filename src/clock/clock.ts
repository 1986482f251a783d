import { INSTANT_MAX, INSTANT_MIN } from '../contract/vocabulary/instants.js';
import type { Clock } from '../core/ports.js';

/** The longest wait that setTimeout supports; a longer one consists of several. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The longest wait for an instant: while the machine sleeps, the time of a timer does not pass. */
const INSTANT_WAIT_MAX_MS = 60_000;

/** A smaller step back is a correction of the machine's clock, which is followed. */
const SET_BACK_MIN_MS = 1_000;

interface Waiting {
  instant: number;
  callback: () => void;
}

/**
 * Provides the service's time: the machine's plus an offset, or frozen. A callback for an instant runs when the
 * service's time reaches it, by passing or by being moved.
 */
export class ServiceClock implements Clock {
  moving = false;
  readonly #waiting = new Set<Waiting>();
  #offset = 0;
  #frozenAt: number | null = null;
  #cancelTimer = () => {};
  /** The last reading of the system's time, and of a time that only passes, in milliseconds. */
  #read = { time: Number.NEGATIVE_INFINITY, passed: 0 };
  #isSetBack = false;
  /** Milliseconds to add to the machine's time. */
  #correction = 0;

  /** `onSetBack` is called when the machine's clock was set back, with the milliseconds. */
  constructor(private readonly onSetBack: (milliseconds: number) => void = () => {}) {}

  /** Returns the time within the bounds: outside of them a timestamp has another form, or none. */
  now(): number {
    return Math.max(INSTANT_MIN, Math.min(INSTANT_MAX, this.#frozenAt ?? this.systemNow() + this.#offset));
  }

  /**
   * Returns the machine's time. If the machine's clock is set back, time continues from where it was, until the machine
   * has caught up. Decision 018.
   */
  systemNow(): number {
    const passed = performance.now();
    const machine = Date.now() + this.#correction;
    const expected = Math.floor(this.#read.time + (passed - this.#read.passed));
    const isSetBack = machine < expected - SET_BACK_MIN_MS;
    if (isSetBack && !this.#isSetBack) this.onSetBack(expected - machine);
    this.#isSetBack = isSetBack;
    // Moves the reading forward only with the machine's clock, so that rounding does not add up.
    if (!isSetBack) this.#read = { time: machine, passed };
    return isSetBack ? expected : machine;
  }

  /** Corrects the machine's time by a number of milliseconds from now on, besides earlier corrections. */
  correct(milliseconds: number): void {
    this.#correction += milliseconds;
    this.#read.time += milliseconds;
    this.#arm();
  }

  at(instant: number, callback: () => void): () => void {
    const waiting = { instant, callback };
    this.#waiting.add(waiting);
    this.#arm();
    return () => {
      if (this.#waiting.delete(waiting)) this.#arm();
    };
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(milliseconds, TIMER_MAX_MS));
    // Due work is in the database; it must not keep an otherwise idle process alive.
    timer.unref();
    return () => clearTimeout(timer);
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  get frozen(): boolean {
    return this.#frozenAt !== null;
  }

  get offset(): number {
    return this.#frozenAt === null ? this.#offset : this.#frozenAt - this.systemNow();
  }

  /** Resumes time at an offset from the machine's, and runs the callbacks that became due. */
  run(offset: number): void {
    this.#offset = offset;
    this.#frozenAt = null;
    this.#arm();
  }

  /** Moves the service's time, and runs the callbacks that became due. */
  set(instant: number): void {
    if (this.#frozenAt === null) this.#offset = instant - this.systemNow();
    else this.#frozenAt = instant;
    this.#arm();
  }

  freeze(): void {
    this.#frozenAt = this.now();
    this.#arm();
  }

  resume(): void {
    if (this.#frozenAt === null) return;
    this.#offset = this.#frozenAt - this.systemNow();
    this.#frozenAt = null;
    this.#arm();
  }

  #arm(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    const next = Math.min(...Array.from(this.#waiting, ({ instant }) => instant));
    if (next === Number.POSITIVE_INFINITY) return;
    const wait = next - this.now();
    if (this.#frozenAt !== null && wait > 0) return;
    this.#cancelTimer = this.after(Math.max(0, Math.min(wait, INSTANT_WAIT_MAX_MS)), () => this.#fire());
  }

  #fire(): void {
    const now = this.now();
    for (const waiting of this.#waiting) {
      if (waiting.instant > now) continue;
      this.#waiting.delete(waiting);
      waiting.callback();
    }
    this.#arm();
  }
}
