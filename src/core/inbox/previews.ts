import type { Clock, Ids } from '../ports.js';
import { TICKET_CHARACTERS } from './tickets.js';

/** The part of a content URL that names a preview instead of an email. */
export const PREVIEWS = 'previews';
/** Maximum numbers of previews, and of characters of all. A new one replaces the oldest. */
const PREVIEWS_MAX = 1_000;
const CHARACTERS_MAX = 32 * 1024 * 1024;

/** Keeps rendered HTML of templates in memory, for the frames of the inbox. */
export class Previews {
  readonly #kept = new Map<string, { html: string; expiresAt: number }>();
  #characters = 0;

  constructor(private readonly deps: { clock: Pick<Clock, 'systemNow'>; ids: Pick<Ids, 'secret'> }) {}

  /**
   * Keeps HTML until it expires. Returns its ID.
   * @param expiresAt milliseconds since 1970, in system time
   */
  add(html: string, expiresAt: number): string {
    const id = this.deps.ids.secret(TICKET_CHARACTERS);
    const now = this.deps.clock.systemNow();
    for (const [oldest, kept] of this.#kept) {
      const fits = this.#kept.size < PREVIEWS_MAX && this.#characters + html.length <= CHARACTERS_MAX;
      if (fits && kept.expiresAt > now) break;
      this.#kept.delete(oldest);
      this.#characters -= kept.html.length;
    }
    this.#kept.set(id, { html, expiresAt });
    this.#characters += html.length;
    return id;
  }

  /** Returns the HTML of a preview; undefined if newer ones replaced it. Its URL limits how long it is valid. */
  find(id: string): string | undefined {
    return this.#kept.get(id)?.html;
  }
}
