import { IMPLIED_ENDS, VOID } from '../../../html/implied-ends.js';
import type { Element } from './document.js';

/** Deeper elements are read as children of the element at this depth. */
const DEPTH_MAX = 200;

/** The elements that are open at a position. Every operation takes constant time on average. */
export class OpenElements {
  readonly #stack: Element[] = [];
  readonly #counts = new Map<string, number>();

  get current(): Element | undefined {
    return this.#stack.at(-1);
  }

  /** Opens an element. Only in a drawing does the slash of `<path/>` close it. */
  open(element: Element, hasSlash: boolean): void {
    const isClosed = VOID.has(element.name) || (hasSlash && Boolean(this.#counts.get('svg')));
    if (isClosed || this.#stack.length === DEPTH_MAX) return;
    this.#stack.push(element);
    this.#counts.set(element.name, (this.#counts.get(element.name) ?? 0) + 1);
  }

  /** Closes the innermost element with this name, and all in it. */
  close(name: string): void {
    if (!this.#counts.get(name)) return;
    while (this.#pop() !== name);
  }

  /** Closes elements that end where this one starts. */
  closeImplied(name: string): void {
    while (this.current && IMPLIED_ENDS.get(this.current.name)?.before.has(name)) this.#pop();
  }

  #pop(): string | undefined {
    const name = this.#stack.pop()?.name;
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
    return name;
  }
}
