import type { Column } from './column-kinds.js';
import type { Columns } from './columns.js';

/** The column of each field of a record. */
export type ColumnsOf<R> = { readonly [K in keyof R]-?: Column<R[K]> };

/**
 * How a record is kept in a row. The statements, the values bound in them and the reader all follow from one table of
 * columns, so they cannot disagree.
 */
export class RowMapping<R extends object> {
  readonly fields: readonly (keyof R)[];

  constructor(private readonly columns: ColumnsOf<R>) {
    this.fields = Object.keys(columns) as (keyof R)[];
  }

  /** The names of the columns, for a SELECT. */
  get names(): string {
    return this.#namesOf(this.fields).join(', ');
  }

  /**
   * What follows the table's name in an INSERT. Binds `values`, then an object with a value for each of `more`, which are
   * columns besides the fields. `computed` holds the SQL of columns that take more than a value.
   */
  into(more: readonly string[] = [], computed: Record<string, string> = {}): string {
    const names = [...this.#namesOf(this.fields), ...more, ...Object.keys(computed)];
    const values = [...this.fields.map(() => '?'), ...more.map((name) => `@${name}`), ...Object.values(computed)];
    return `(${names.join(', ')}) VALUES (${values.join(', ')})`;
  }

  /** What follows SET in an UPDATE of these fields. Binds `valuesOf` the same fields. */
  set(fields: readonly (keyof R)[]): string {
    return this.#namesOf(fields)
      .map((name) => `${name} = ?`)
      .join(', ');
  }

  values(record: R): unknown[] {
    return this.valuesOf(this.fields, record);
  }

  valuesOf<K extends keyof R>(fields: readonly K[], record: Pick<R, K>): unknown[] {
    return fields.map((field) => this.columns[field].write(record[field]));
  }

  /** @throws BadRowError when a column holds what svc never writes. */
  readonly read = (row: Columns): R => {
    const record: Partial<R> = {};
    for (const field of this.fields) record[field] = this.columns[field].read(row);
    return record as R;
  };

  #namesOf(fields: readonly (keyof R)[]): string[] {
    return fields.map((field) => this.columns[field].name);
  }
}
