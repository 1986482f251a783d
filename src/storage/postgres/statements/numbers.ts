/** Marks provisional numbers, which are negative with a fraction: no other bound value is. */
const FRACTIONS = { emails: 0.25, events: 0.5 };

type Name = keyof typeof FRACTIONS;
export type LastNumbers = Record<Name, number>;

/**
 * The numbers that a transaction assigns to emails and events. Until the ledger is locked they are provisional. Bound
 * values are resolved when a statement is sent, so a provisional number never reaches the database.
 */
export class AssignedNumbers {
  /** The last numbers of earlier transactions; undefined until the ledger is locked. */
  #before: LastNumbers | undefined;
  #assigned: LastNumbers = { emails: 0, events: 0 };
  /** The provisional numbers of earlier transactions, which this one must not resolve. */
  #used = 0;

  begin(): void {
    this.#before = undefined;
    this.#used += Math.max(this.#assigned.emails, this.#assigned.events);
    this.#assigned = { emails: 0, events: 0 };
  }

  /** Continues after the last numbers of earlier transactions. */
  settle(before: LastNumbers): void {
    this.#before = { ...before };
  }

  get isEmpty(): boolean {
    return this.#assigned.emails === 0 && this.#assigned.events === 0;
  }

  next(name: Name): number {
    this.#assigned[name] += 1;
    return this.#before ? this.last(name) : -(this.#used + this.#assigned[name] + FRACTIONS[name]);
  }

  last(name: Name): number {
    return this.#settled[name] + this.#assigned[name];
  }

  raise(name: Name, atLeast: number): void {
    this.#settled[name] += Math.max(0, atLeast - this.last(name));
  }

  /** Returns how many numbers are assigned, to return to it if a write fails. */
  mark(): LastNumbers {
    return { ...this.#assigned };
  }

  undo(mark: LastNumbers): void {
    this.#assigned = { ...mark };
  }

  /** Returns a value with final numbers in place of provisional ones. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.resolve(each));
    return typeof value === 'number' ? this.final(value) : value;
  }

  /** Returns the final number in place of a provisional one, and any other number unchanged. */
  final(number: number): number {
    if (number >= 0 || Number.isInteger(number)) return number;
    const provisional = Math.floor(-number);
    const name = -number - provisional === FRACTIONS.emails ? 'emails' : 'events';
    const assigned = provisional - this.#used;
    if (assigned < 1 || assigned > this.#assigned[name]) throw new RangeError('a number of another transaction');
    return this.#settled[name] + assigned;
  }

  get #settled(): LastNumbers {
    if (!this.#before) throw new TypeError('the ledger is not locked');
    return this.#before;
  }
}
