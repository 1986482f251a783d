import type { CheckPlace } from '../../../contract/control/emails/check.js';
import { Found, type Places, type Range } from '../places.js';

/** Positions of a feature that are listed. */
const PLACES_MAX = 5;

/** The features that an email uses, with their positions. */
export class FeatureUses {
  readonly #bySlug = new Map<string, Found>();

  constructor(private readonly places: Places) {}

  /** Adds a use by a number of elements. */
  add(slug: string, range: Range, elements = 1): void {
    let found = this.#bySlug.get(slug);
    if (!found) {
      found = new Found(PLACES_MAX);
      this.#bySlug.set(slug, found);
    }
    found.add(() => this.places.of(range), elements);
  }

  of(slug: string): { count: number; where: CheckPlace[] } | undefined {
    return this.#bySlug.get(slug);
  }
}
