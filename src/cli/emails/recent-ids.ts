import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';

const IDS_MAX = 10 * PAGE_SIZE_MAX;

/** Holds the most recent ids. The oldest ones are removed, so that memory does not grow with the list. */
export class RecentIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds ids, the newest last. */
  add(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#ids.delete(id);
      this.#ids.add(id);
    }
    for (const id of this.#ids) {
      if (this.#ids.size <= IDS_MAX) return;
      this.#ids.delete(id);
    }
  }
}
