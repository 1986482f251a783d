import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import { INSTANT_MIN } from '../../../contract/vocabulary/instants.js';
import type {
  AttemptRecord,
  DeliveryFilter,
  DeliveryHead,
  DeliveryRecord,
  FoundDelivery,
} from '../../../core/model/deliveries.js';
import type { Page, Paged } from '../../../core/model/resources.js';
import type { CurrentChanges } from '../changes.js';
import { instant, integer, integerOrNull, key, oneOf, text, textOrNull, texts, webUrl } from '../rows/column-kinds.js';
import type { Columns } from '../rows/columns.js';
import { RowMapping, scopeOf } from '../rows/mapping.js';
import { type Dialect, ObservedTable, type Rows, type Sql } from '../sql.js';
import type { EventTable } from './events.js';
import type { WebhookTable } from './webhooks.js';

export const deliveryRow = new RowMapping<DeliveryRecord>({
  id: text('id'),
  webhookId: text('webhook_id'),
  eventSeq: key('event_seq'),
  url: webUrl('url'),
  state: oneOf('state', ['pending', 'succeeded', 'failed']),
  attempts: integer('attempts', 0),
  createdAt: instant('created_at'),
  // Has no upper bound, because a retry can be due after INSTANT_MAX.
  nextAttemptAt: integerOrNull('next_attempt_at', INSTANT_MIN),
  replayOf: textOrNull('replay_of'),
});

export const attemptRow = new RowMapping<AttemptRecord>({
  deliveryId: text('delivery_id'),
  attempt: integer('attempt', 1),
  startedAt: instant('started_at'),
  durationMs: integer('duration_ms'),
  requestHeaders: texts('request_headers'),
  status: integerOrNull('status'),
  responseHeaders: texts('response_headers'),
  responseBody: text('response_body'),
  error: textOrNull('error'),
  fault: textOrNull('fault'),
});

/**
 * Counts the active subscriptions, without temporary ones, whose newest delivery with an attempt got no 2xx response in
 * the last one; of one workspace, if the parameter is not null.
 */
const COUNT_FAILING = `
  SELECT count(*) FROM webhooks JOIN attempts ON attempts.delivery_id = (
    SELECT id FROM deliveries WHERE webhook_id = webhooks.id AND attempts > 0 ORDER BY seq DESC LIMIT 1
  )
  WHERE webhooks.active = 1 AND webhooks.ephemeral = 0 AND (webhooks.workspace = @workspace OR @workspace IS NULL)
    AND attempts.attempt = (SELECT max(attempt) FROM attempts AS own WHERE own.delivery_id = attempts.delivery_id)
    AND (attempts.status IS NULL OR attempts.status NOT BETWEEN 200 AND 299)`;

const ALL = 'FROM deliveries d JOIN events e ON e.seq = d.event_seq';
/** Names the indexes, because SQLite would read all deliveries of a webhook that is another condition. */
const ofEmail = ({ indexedBy, joinInOrder }: Dialect) =>
  `FROM ${indexedBy('events e', 'events_email')} ${joinInOrder} ${indexedBy('deliveries d', 'deliveries_event')}
   ON d.event_seq = e.seq`;

/** Reads deliveries of the same event only, by its index. */
const REPLAYED = `EXISTS (SELECT 1 FROM deliveries r
   WHERE r.event_seq = d.event_seq AND r.replay_of = d.id AND r.webhook_id = d.webhook_id)`;

/** Stores webhook deliveries and their attempts. */
export class DeliveryTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO deliveries ${deliveryRow.into()}`);
  readonly #find = this.sql.prepare('SELECT * FROM deliveries WHERE id = ?');
  readonly #pendingOf = this.sql.prepare(
    "SELECT * FROM deliveries WHERE webhook_id = ? AND state = 'pending' ORDER BY seq",
  );
  readonly #insertAttempt = this.sql.prepare(
    `INSERT INTO attempts ${attemptRow.into()} ON CONFLICT (delivery_id, attempt) DO UPDATE SET ${attemptRow.setExcluded()}`,
  );
  readonly #update = this.sql.prepare(
    'UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ? WHERE id = ?',
  );
  readonly #abandon = this.sql.prepare(
    "UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE id = ? AND state = 'pending'",
  );
  readonly #attempts = this.sql.prepare('SELECT * FROM attempts WHERE delivery_id = ? ORDER BY attempt');
  readonly #countFailing = this.sql.prepare(COUNT_FAILING);

  constructor(
    sql: Sql,
    private readonly tables: { events: EventTable; webhooks: WebhookTable },
    rows: Rows,
    changes: CurrentChanges,
  ) {
    super(sql, rows, changes);
  }

  async insert(delivery: DeliveryRecord): Promise<void> {
    this.#insert.send(...deliveryRow.values(delivery));
  }

  async find(id: string): Promise<FoundDelivery | undefined> {
    const delivery = await this.rows.one('deliveries', () => this.#find.get(id), deliveryRow.read);
    const found = delivery && (await this.tables.events.at(delivery.eventSeq));
    const webhook = delivery && (await this.tables.webhooks.find(delivery.webhookId));
    return found && { delivery, ...found, webhook };
  }

  async abandon(id: string): Promise<void> {
    this.#abandon.send(id);
  }

  async recordAttempt(
    attempt: AttemptRecord,
    state: DeliveryRecord['state'],
    nextAttemptAt: number | null,
  ): Promise<boolean> {
    const updated = await this.#update.run(state, attempt.attempt, nextAttemptAt, attempt.deliveryId);
    if (updated === 0) return false;
    this.#insertAttempt.send(...attemptRow.values(attempt));
    this.changes().attempts.push({ deliveryId: attempt.deliveryId, attempt: attempt.attempt });
    return true;
  }

  async pendingOf(webhookId: string): Promise<DeliveryRecord[]> {
    return this.rows.all('deliveries', () => this.#pendingOf.all(webhookId), deliveryRow.read);
  }

  async countFailingWebhooks(workspace?: string): Promise<number> {
    return (await this.#countFailing.value<number>({ workspace: workspace ?? null })) ?? 0;
  }

  async list(filter: DeliveryFilter, page: Page): Promise<Paged<DeliveryHead>> {
    const conditions: [string, unknown][] = [
      ['d.state = ?', filter.state],
      ['e.type = ?', filter.event],
      ['d.webhook_id = ?', filter.webhookId],
      ['e.email_id = ?', filter.emailId],
      ['e.created_at >= ?', filter.since],
      [
        "d.webhook_id IN (SELECT id FROM webhooks WHERE coalesce(workspace, '') = ?)",
        scopeOf(filter.workspace) ?? undefined,
      ],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    const values = given.map(([, value]) => value);
    const from = filter.emailId === undefined ? ALL : ofEmail(this.sql.dialect);
    const all = given.map(([condition]) => condition);
    if (filter.replayed !== undefined) all.push(filter.replayed ? REPLAYED : `NOT ${REPLAYED}`);
    const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : '';
    const select =
      this.sql.prepare(`SELECT d.*, e.id AS event_id, e.type AS event_type, a.status AS last_status, a.error AS last_error, a.duration_ms
       ${from} LEFT JOIN attempts a ON a.delivery_id = d.id AND a.attempt = d.attempts
       ${where} ORDER BY d.seq DESC LIMIT ? OFFSET ?`);
    const items = await this.rows.all('deliveries', () => select.all(...values, page.limit, page.offset), readHead);
    const total = await this.sql.prepare(`SELECT count(*) ${from} ${where}`).value<number>(...values);
    return { items, total: total ?? 0 };
  }

  async attempts(deliveryId: string): Promise<AttemptRecord[]> {
    return this.rows.all('attempts', () => this.#attempts.all(deliveryId), attemptRow.read);
  }
}

function readHead(row: Columns): DeliveryHead {
  const durationMs = row.integerOrNull('duration_ms');
  return {
    ...deliveryRow.read(row),
    event: { id: row.text('event_id'), type: row.oneOf('event_type', eventTypes) },
    last:
      durationMs === null
        ? null
        : { status: row.integerOrNull('last_status'), error: row.textOrNull('last_error'), durationMs },
  };
}
