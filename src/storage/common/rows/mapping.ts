import type { Column } from './column-kinds.js';
import type { Columns } from './columns.js';

/** The column of each field of a record. */
export type ColumnsOf<R> = { readonly [K in keyof R]-?: Column<R[K]> };

/**
 * Maps a record to a row. The statements, the bound values and the reader are all derived from one table of columns, so
 * they cannot disagree.
 */
export class RowMapping<R extends object> {
  readonly fields: readonly (keyof R)[];
  readonly #entries: readonly { field: keyof R; column: Column<R[keyof R]> }[];
  /** An object with every field. V8 copies it fastest, because all copies have the same shape. */
  readonly #shape: R;

  constructor(private readonly columns: ColumnsOf<R>) {
    this.fields = Object.keys(columns) as (keyof R)[];
    this.#entries = this.fields.map((field) => ({ field, column: columns[field] }));
    this.#shape = Object.fromEntries(this.fields.map((field) => [field, null])) as R;
  }

  /** Returns the names of the columns for a SELECT. */
  get names(): string {
    return this.#namesOf(this.fields).join(', ');
  }

  /**
   * Returns the part of an INSERT after the table's name. It binds `values`, then a value for each column in `more`,
   * then the parameters of the SQL expressions in `computed`. All are bound by position, because the driver would look
   * up every name in every row.
   */
  into(more: readonly string[] = [], computed: Record<string, string> = {}): string {
    const names = [...this.#namesOf(this.fields), ...more, ...Object.keys(computed)];
    const values = [...[...this.fields, ...more].map(() => '?'), ...Object.values(computed)];
    return `(${names.join(', ')}) VALUES (${values.join(', ')})`;
  }

  /** Returns the part of an UPDATE after SET for these fields. It binds `valuesOf` the same fields. */
  set(fields: readonly (keyof R)[]): string {
    return this.#namesOf(fields)
      .map((name) => `${name} = ?`)
      .join(', ');
  }

  /** Returns the part of an INSERT after DO UPDATE SET that replaces every column. */
  setExcluded(): string {
    return this.#namesOf(this.fields)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ');
  }

  values(record: R): unknown[] {
    const values: unknown[] = [];
    for (const { field, column } of this.#entries) values.push(bound(column, record[field]));
    return values;
  }

  valuesOf<K extends keyof R>(fields: readonly K[], record: Pick<R, K>): unknown[] {
    return fields.map((field) => bound(this.columns[field], record[field]));
  }

  /** Reads a record. @throws BadRowError if a column contains a value that svc never writes. */
  readonly read = (row: Columns): R => {
    const record = { ...this.#shape };
    for (const { field, column } of this.#entries) record[field] = column.read(row);
    return record;
  };

  #namesOf(fields: readonly (keyof R)[]): string[] {
    return fields.map((field) => this.columns[field].name);
  }
}

function bound<T>(column: Column<T>, value: T): unknown {
  return column.write ? column.write(value) : value;
}

/** Workspaces in SQL: as a condition, and as a column of tables whose rows are unique per workspace. */

/** The condition that a row belongs to a workspace. Bind `scopeOf` to `@scope`. */
export const IN_SCOPE = "(coalesce(workspace, '') = @scope OR @scope IS NULL)";

/** Returns the value to bind for a workspace; null for rows of no workspace, undefined for all rows. */
export function scopeOf(workspace: string | null | undefined): string | null {
  return workspace === undefined ? null : (workspace ?? '');
}

/** A column that is empty for no workspace: NULLs would not be equal in a unique index. */
export const workspaceOrNone = (name: string): Column<string | null> => ({
  name,
  read: (row) => row.text(name) || null,
  write: (value) => value ?? '',
});
