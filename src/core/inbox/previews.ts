import { TICKET_CHARACTERS, type TicketDeps } from './tickets.js';

/** The part of a content URL that names a preview instead of an email. */
export const PREVIEWS = 'previews';

/** Keeps rendered HTML of templates, for the frames of the inbox. */
export class Previews {
  constructor(private readonly deps: Pick<TicketDeps, 'ids' | 'kept'>) {}

  /**
   * Keeps HTML until it expires. Returns its ID.
   * @param expiresAt milliseconds since 1970, in system time
   */
  async add(html: string, expiresAt: number): Promise<string> {
    const id = this.deps.ids.secret(TICKET_CHARACTERS);
    await this.deps.kept.put(keyOf(id), html, expiresAt);
    return id;
  }

  /** Returns the HTML of a preview; undefined if it has expired or newer ones replaced it. Its URL limits how long it is valid. */
  find(id: string): Promise<string | undefined> {
    return this.deps.kept.find(keyOf(id));
  }
}

function keyOf(id: string): string {
  return `preview ${id}`;
}
