/** Notices a minute. A client that retries all the time must not fill the log. */
const NOTICES_MAX = 20;
const MINUTE_MS = 60_000;

/** Reports what people should know about clients that were refused, up to a number of lines a minute. */
export class Notices {
  #count = 0;

  constructor(
    private readonly print: (text: string) => void,
    private readonly after: (milliseconds: number, callback: () => void) => () => void,
  ) {}

  /** Reports a refusal of the client at an address. The text continues a sentence, and has no secrets. */
  report(address: string, text: string): void {
    if (this.#count === 0) {
      this.after(MINUTE_MS, () => {
        this.#count = 0;
      });
    }
    this.#count += 1;
    if (this.#count > NOTICES_MAX) return;
    this.print(`SMTP: a client at ${address || 'a Unix socket'} ${text}`);
    if (this.#count === NOTICES_MAX) this.print('SMTP: more such lines are left out for a minute.');
  }
}
