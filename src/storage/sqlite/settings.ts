import type Database from 'better-sqlite3';
import { BadRowError } from './columns.js';
import type { RowReader } from './row-reader.js';

export class SettingTable {
  readonly #get;
  readonly #set;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#get = db.prepare('SELECT name, value FROM settings WHERE name = ?');
    this.#set = db.prepare(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  async get<T>(name: string, parse: (value: string) => T | undefined): Promise<T | undefined> {
    return this.rows.one(
      'settings',
      () => this.#get.get(name),
      (row) => {
        const value = parse(row.text('value'));
        if (value === undefined) throw new BadRowError('value is not a valid setting');
        return value;
      },
    );
  }

  async set(name: string, value: string): Promise<void> {
    this.#set.run(name, value);
  }
}
