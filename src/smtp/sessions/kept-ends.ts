/** Keeps the first and the last items of a list, up to a size of each. */
export class KeptEnds<Item> {
  readonly #first: Item[] = [];
  readonly #last: Item[] = [];
  #firstSize = 0;
  #lastSize = 0;
  #omitted = 0;

  constructor(
    private readonly sizeOf: (item: Item) => number,
    private readonly firstMax: number,
    private readonly lastMax: number,
  ) {}

  /** The number of items between the first and the last ones that are left out. */
  get omitted(): number {
    return this.#omitted;
  }

  push(item: Item): void {
    const size = this.sizeOf(item);
    if (this.#last.length === 0 && this.#omitted === 0 && this.#firstSize + size <= this.firstMax) {
      this.#first.push(item);
      this.#firstSize += size;
      return;
    }
    this.#last.push(item);
    this.#lastSize += size;
    while (this.#lastSize > this.lastMax) {
      this.#lastSize -= this.sizeOf(this.#last.shift() as Item);
      this.#omitted += 1;
    }
  }

  /** Returns the kept items, with one in place of those that are left out. */
  items(instead?: (omitted: number) => Item): Item[] {
    const gap = this.#omitted > 0 && instead ? [instead(this.#omitted)] : [];
    return [...this.#first, ...gap, ...this.#last];
  }
}
