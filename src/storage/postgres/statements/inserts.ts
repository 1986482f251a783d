import type { QueryArrayConfig } from 'pg';

/** Maximum number of rows that one statement inserts. */
const ROWS_MAX = 64;
/** Bytes or characters of a value from which its row is sent at once, so that large contents do not gather in memory. */
const LARGE = 64 * 1024;

const ONE_ROW = /^INSERT INTO (\w+) \(([^)]*)\)\s+VALUES \(([^()]*)\)(.*)$/s;

/** An INSERT of one row that can insert several. */
export class InsertForm {
  readonly table: string;
  readonly #head: string;
  readonly #row: string;
  readonly #tail: string;
  /** The positions of the values that two rows of an upsert must not have in common. */
  readonly #key: readonly number[];
  readonly #queries = new Map<number, { text: string; name: string }>();

  private constructor(
    private readonly name: string,
    [, table = '', columns = '', row = '', tail = '']: readonly string[],
  ) {
    this.table = table;
    this.#head = `INSERT INTO ${table} (${columns}) VALUES `;
    this.#row = row;
    this.#tail = tail;
    const names = columns.split(',').map((column) => column.trim());
    const conflict = /ON CONFLICT \(([^()]*)\)\s+DO UPDATE/.exec(tail)?.[1]?.split(',') ?? [];
    this.#key = conflict.map((column) => names.indexOf(column.trim()));
  }

  /** Returns the form of a statement with `?` for its values; undefined if it is not an INSERT of one row of values. */
  static of(text: string, name: string): InsertForm | undefined {
    const found = ONE_ROW.exec(text);
    return found && !found[4]?.includes('?') ? new InsertForm(name, found) : undefined;
  }

  /** Returns what two rows of one statement must not have in common; undefined if they may be equal. */
  keyOf(values: readonly unknown[]): string | undefined {
    return this.#key.length === 0 ? undefined : JSON.stringify(this.#key.map((position) => values[position]));
  }

  /** Returns the statements that insert rows. Their numbers of rows are powers of two, so that few are prepared. */
  queries(rows: readonly unknown[][]): QueryArrayConfig[] {
    const queries: QueryArrayConfig[] = [];
    for (let at = 0; at < rows.length; ) {
      const size = Math.min(ROWS_MAX, 2 ** Math.floor(Math.log2(rows.length - at)));
      queries.push({ ...this.#queryFor(size), values: rows.slice(at, at + size).flat(), rowMode: 'array' });
      at += size;
    }
    return queries;
  }

  #queryFor(size: number): { text: string; name: string } {
    let query = this.#queries.get(size);
    if (!query) {
      let count = 0;
      const numbered = () =>
        this.#row.replace(/\?/g, () => {
          count += 1;
          return `$${count}`;
        });
      const rows = Array.from({ length: size }, () => `(${numbered()})`);
      query = { text: `${this.#head}${rows.join(', ')}${this.#tail}`, name: `${this.name} ${size}` };
      this.#queries.set(size, query);
    }
    return query;
  }
}

interface Group {
  rows: unknown[][];
  keys: Set<string>;
  /** Number of rows of earlier writes. */
  sealed: number;
}

/**
 * Collects the rows that a transaction inserts, so that one statement inserts many. Rows of one table stay in order. No
 * table refers to another with a constraint, so the order of tables does not matter.
 */
export class PendingInserts {
  readonly #groups = new Map<InsertForm, Group>();
  /** Whether rows of the current write were sent, so that they cannot be removed here. */
  hasSentRows = false;

  constructor(private readonly send: (query: QueryArrayConfig) => void) {}

  add(form: InsertForm, values: unknown[]): void {
    // Another statement for the same table may have pending rows.
    for (const [other, { rows }] of this.#groups) {
      if (other !== form && other.table === form.table && rows.length > 0) this.#flush(other);
    }
    const key = form.keyOf(values);
    let group = this.#groups.get(form);
    if (!group) {
      group = { rows: [], keys: new Set(), sealed: 0 };
      this.#groups.set(form, group);
    }
    if (key !== undefined) {
      if (group.keys.has(key)) this.#flush(form);
      group.keys.add(key);
    }
    group.rows.push(values);
    if (group.rows.length === ROWS_MAX || values.some(isLarge)) this.#flush(form);
  }

  /** Sends the rows of the tables that a statement names. */
  flushNamed(words: ReadonlySet<string>): void {
    for (const form of this.#groups.keys()) if (words.has(form.table)) this.#flush(form);
  }

  flush(): void {
    for (const form of this.#groups.keys()) this.#flush(form);
  }

  get isEmpty(): boolean {
    for (const { rows } of this.#groups.values()) if (rows.length > 0) return false;
    return true;
  }

  /** Begins a write: `undo` removes the rows added from now on. */
  seal(): void {
    this.hasSentRows = false;
    for (const group of this.#groups.values()) group.sealed = group.rows.length;
  }

  undo(): void {
    for (const [form, group] of this.#groups) {
      group.rows.length = group.sealed;
      group.keys = new Set(group.rows.map((values) => form.keyOf(values)).filter((key) => key !== undefined));
    }
  }

  clear(): void {
    this.#groups.clear();
  }

  #flush(form: InsertForm): void {
    const group = this.#groups.get(form);
    if (!group || group.rows.length === 0) return;
    if (group.rows.length > group.sealed) this.hasSentRows = true;
    const { rows } = group;
    group.rows = [];
    group.keys.clear();
    group.sealed = 0;
    for (const query of form.queries(rows)) this.send(query);
  }
}

function isLarge(value: unknown): boolean {
  return (typeof value === 'string' || value instanceof Uint8Array) && value.length >= LARGE;
}

/**
 * Defines how PostgreSQL stores texts. It cannot store U+0000, but messages can contain it. So U+0000 and the character
 * that marks it are stored as two characters each.
 */

const MARK = '\uf8ff';
const NUL = `${MARK}0`;
const MARKED = `${MARK}1`;

/** Returns a text in the form in which it is stored. */
export function toStored(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARKED).replaceAll('\0', NUL);
}

/** Returns a text from the form in which it is stored. A mark without its second character is cut off. */
export function fromStored(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  const text = stored.endsWith(MARK) ? stored.slice(0, -1) : stored;
  return text.replaceAll(NUL, '\0').replaceAll(MARKED, MARK);
}
