import { UNSHOWN, VOID } from './elements.js';
import { IMPLIED_ENDS } from './implied-ends.js';
import type { Tag } from './read-html.js';

/**
 * Follows which elements of an email are hidden: by their name, the attribute `hidden` or their own style. It takes
 * linear time for any nesting.
 */
export class Visibility {
  readonly #open = new OpenElements();
  /** The element whose content is hidden, and the elements in it. */
  #hidden: { name: string; inside: OpenElements } | undefined;

  get isHidden(): boolean {
    return this.#hidden !== undefined;
  }

  /** Whether a script or a style is open, or another element whose content is never shown. */
  get isUnshown(): boolean {
    const hidden = this.#hidden;
    if (hidden === undefined) return false;
    return UNSHOWN.has(hidden.name) || [...UNSHOWN].some((name) => hidden.inside.has(name));
  }

  /** Takes a start tag, and returns whether the element is shown. */
  start(tag: Tag): boolean {
    const { tagName } = tag;
    if (this.#hidden && endsBefore(this.#hidden, tagName)) this.#hidden = undefined;
    if (this.#hidden) {
      this.#hidden.inside.open(tagName);
      return false;
    }
    if (isHiding(tag)) {
      this.#hidden = { name: tagName, inside: new OpenElements() };
      return false;
    }
    this.#open.open(tagName);
    return true;
  }

  /** Takes an end tag, and returns whether it ends a shown element. */
  end(tagName: string): boolean {
    if (this.#hidden?.inside.has(tagName)) {
      this.#hidden.inside.close(tagName);
      return false;
    }
    if (this.#hidden?.name === tagName) {
      this.#hidden = undefined;
      return false;
    }
    // The end of an element ends the hidden one in it.
    if (this.#open.has(tagName)) this.#hidden = undefined;
    if (this.#hidden) return false;
    this.#open.close(tagName);
    return true;
  }
}

/** Counts the open elements of each name. */
class OpenElements {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  open(name: string): void {
    if (!VOID.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  close(name: string): void {
    if (this.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}

const HIDING_STYLE = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i;

function isHiding({ tagName, attrs, selfClosing }: Tag): boolean {
  if (UNSHOWN.has(tagName)) return true;
  if (selfClosing || VOID.has(tagName)) return false;
  return attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && HIDING_STYLE.test(value)));
}

/** Returns whether a start tag ends the hidden element, which then has no end tag. */
function endsBefore(hidden: { name: string; inside: OpenElements }, tagName: string): boolean {
  const implied = IMPLIED_ENDS.get(hidden.name);
  if (!implied?.before.has(tagName)) return false;
  return !implied.except.some((name) => hidden.inside.has(name));
}
