import { PUBLISHED_SETTING, readRecordNames, UNPUBLISHED_SETTING } from '../../../core/account/simulated-dns.js';
import { CLOCK_SETTING, readStored } from '../../../core/jobs/clock-controller.js';
import { readSecret, SECRET_SETTING } from '../../../core/mail/tracking/tracking-token.js';
import { BadRowError, type Columns } from '../rows/columns.js';
import { ObservedTable } from '../sql.js';

/** The parser of each setting, by the setting's name. It returns undefined for a value that svc never writes. */
const settingReaders: Readonly<Record<string, (value: string) => unknown>> = Object.assign(Object.create(null), {
  [CLOCK_SETTING]: readStored,
  [SECRET_SETTING]: readSecret,
  [UNPUBLISHED_SETTING]: readRecordNames,
  [PUBLISHED_SETTING]: readRecordNames,
});

export class SettingTable extends ObservedTable {
  readonly #get = this.sql.prepare('SELECT name, value FROM settings WHERE name = ?');
  readonly #set = this.sql.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );

  async get<T>(name: string, parse: (value: string) => T | undefined): Promise<T | undefined> {
    return this.rows.one(
      'settings',
      () => this.#get.get(name),
      (row) => settingOf(row, parse),
    );
  }

  async set(name: string, value: string): Promise<void> {
    this.#set.send(name, value);
    this.changes().settings += 1;
  }
}

/** Reads a row of `settings` with the parser of its setting. A setting that is unknown to this version may have any value. */
export function readSetting(row: Columns): unknown {
  return settingOf(row, settingReaders[row.text('name')] ?? ((value) => value));
}

function settingOf<T>(row: Columns, parse: (value: string) => T | undefined): T {
  const value = parse(row.text('value'));
  if (value === undefined) throw new BadRowError('value is not a valid setting');
  return value;
}
