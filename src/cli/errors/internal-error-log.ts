import { systemNow } from '../output/local-time.js';
import { safeText } from '../output/text.js';

/**
 * Prints internal errors of the server on stderr. While a view uses the screen, it passes summaries to the view, and
 * prints the errors afterwards.
 */
export class InternalErrorLog {
  /** How often each fault of the machine occurred without a rest, and when it did last, by its text. */
  readonly #faults = new Map<string, { count: number; at: number }>();
  #held: string[] | undefined;
  #print: (summary: string) => void = () => {};

  /** `write` gets each text that is printed, which ends with a line break. */
  constructor(
    private readonly now: () => number = systemNow,
    private readonly write: (text: string) => void = toStderr,
  ) {}

  readonly report = (error: unknown, requestId?: string): void => {
    const advice = adviceOf(error);
    if (advice === undefined) {
      const reason = error instanceof Error ? withCauses(error) : String(error);
      this.#write(safeText(`Internal error${requestId ? ` in ${requestId}` : ''}: ${reason}\n`));
    } else {
      this.#reportFault(`${(error as Error).message.replace(/\.$/, '')}. ${advice}`);
    }
  };

  /** Prints a fault of the machine, such as a full disk, without a stack. It recurs, so most repetitions are left out. */
  #reportFault(text: string): void {
    const at = this.now();
    const last = this.#faults.get(text);
    const count = last && at - last.at < FAULT_REST_MS ? last.count + 1 : 1;
    this.#faults.set(text, { count, at });
    if (!POWER_OF_TEN.test(String(count))) return;
    this.#write(safeText(`${text}${count > 1 ? ` (${count} times so far)` : ''}\n`));
  }

  /** Prints a line about a client that was refused. */
  readonly notice = (text: string): void => this.#write(safeText(`${text}\n`));

  #write(text: string): void {
    if (!this.#held) {
      this.write(text);
      return;
    }
    if (this.#held.length < HELD_MAX) this.#held.push(text);
    this.#print(text.split('\n', 1)[0] ?? '');
  }

  /**
   * Passes summaries to `print` instead of printing, until the returned function is called. That function prints the
   * errors.
   */
  hold(print: (summary: string) => void): () => void {
    this.#held = [];
    this.#print = print;
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const text of held) this.write(text);
    };
  }
}

function toStderr(text: string): void {
  process.stderr.write(text);
}

/** Errors of a chain that are printed. A chain can be a circle. */
const CAUSES_MAX = 5;

/** Returns the stack of an error, and those of its causes. */
function withCauses(error: Error): string {
  const stacks: string[] = [];
  for (let each: unknown = error; each !== undefined && stacks.length < CAUSES_MAX; ) {
    stacks.push(each instanceof Error ? (each.stack ?? each.message) : String(each));
    each = each instanceof Error ? each.cause : undefined;
  }
  return stacks.join('\nCaused by: ');
}

/** After this time without it, a fault is printed as a new one. */
const FAULT_REST_MS = 60_000;
/** The repetitions of a fault that are printed. */
const POWER_OF_TEN = /^10*$/;

/** Returns the advice of an error that the machine causes; undefined for a bug. */
function adviceOf(error: unknown): string | undefined {
  return (error as { advice?: string } | null | undefined)?.advice;
}

/** Errors often repeat, so the first ones are enough. */
const HELD_MAX = 100;
