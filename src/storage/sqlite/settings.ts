import type Database from 'better-sqlite3';

export class SettingTable {
  readonly #get;
  readonly #set;

  constructor(db: Database.Database) {
    this.#get = db.prepare('SELECT value FROM settings WHERE name = ?').pluck();
    this.#set = db.prepare(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  async get(name: string): Promise<string | undefined> {
    return this.#get.get(name) as string | undefined;
  }

  async set(name: string, value: string): Promise<void> {
    this.#set.run(name, value);
  }
}
