import { errorCodes } from '../../../contract/vocabulary/errors.js';
import { faultDrops, faultStages } from '../../../contract/vocabulary/faults/faults.js';
import { faultPresetNames } from '../../../contract/vocabulary/faults/presets.js';
import type { FaultRecord } from '../../../core/model/resources.js';
import {
  bit,
  instant,
  integer,
  integerOrNull,
  numberOrNull,
  oneOfOrNull,
  text,
  textOrNull,
} from '../rows/column-kinds.js';
import { IN_SCOPE, RowMapping, scopeOf, workspaceOrNone } from '../rows/mapping.js';
import { ObservedTable } from '../sql.js';

export const faultRow = new RowMapping<FaultRecord>({
  id: text('id'),
  smtp: oneOfOrNull('smtp', faultStages),
  http: textOrNull('http'),
  webhook: textOrNull('webhook'),
  code: integerOrNull('code', 300),
  text: textOrNull('text'),
  error: oneOfOrNull('error', errorCodes),
  delayMs: integerOrNull('delay_ms', 0),
  drop: oneOfOrNull('dropped', faultDrops),
  truncate: bit('truncates'),
  retryAfterMs: integerOrNull('retry_after_ms', 0),
  greylistMs: integerOrNull('greylist_ms', 0),
  times: integerOrNull('times', 1),
  every: integerOrNull('every', 1),
  probability: numberOrNull('probability'),
  seed: integer('seed', 0),
  afterMessages: integerOrNull('after_messages', 1),
  sender: textOrNull('sender'),
  recipient: textOrNull('recipient'),
  query: textOrNull('query'),
  preset: oneOfOrNull('preset', faultPresetNames),
  seen: integer('seen', 0),
  hits: integer('hits', 0),
  createdAt: instant('created_at'),
  workspace: workspaceOrNone('workspace'),
});

/** Stores faults. */
export class FaultTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO faults ${faultRow.into()}`);
  readonly #list = this.sql.prepare(`SELECT * FROM faults WHERE ${IN_SCOPE} ORDER BY seq DESC`);
  readonly #count = this.sql.prepare('UPDATE faults SET seen = seen + 1, hits = hits + ? WHERE id = ?');
  readonly #delete = this.sql.prepare(`DELETE FROM faults WHERE id = @id AND ${IN_SCOPE}`);
  readonly #clear = this.sql.prepare(`DELETE FROM faults WHERE ${IN_SCOPE}`);

  async insert(fault: FaultRecord): Promise<void> {
    this.#insert.send(...faultRow.values(fault));
    this.changes().settings += 1;
  }

  async list(workspace?: string | null): Promise<FaultRecord[]> {
    return this.rows.all('faults', () => this.#list.all({ scope: scopeOf(workspace) }), faultRow.read);
  }

  async count(id: string, hits: number): Promise<void> {
    this.#count.send(hits, id);
  }

  async delete(id: string, workspace?: string | null): Promise<boolean> {
    this.changes().settings += 1;
    return (await this.#delete.run({ id, scope: scopeOf(workspace) })) > 0;
  }

  async clear(workspace?: string | null): Promise<number> {
    this.changes().settings += 1;
    return this.#clear.run({ scope: scopeOf(workspace) });
  }
}
