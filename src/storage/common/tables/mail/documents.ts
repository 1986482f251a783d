import { eventTypes } from '../../../../contract/vocabulary/event-types.js';
import type { SearchDocument, UnextractedEmail } from '../../../../core/model/search.js';
import { oneOf, text } from '../../rows/column-kinds.js';
import type { Columns } from '../../rows/columns.js';
import {
  type DocumentRow,
  documentRow,
  readEmailWarning,
  readHtml,
  readRecipient,
  readText,
} from '../../rows/emails.js';
import { type Rows, type Sql, type Statement, Table } from '../../sql.js';
import { REFERS_TO_BODIES, readTextOf } from './bodies.js';
import type { ContentTable } from './contents.js';
import { readExtracts } from './extracts.js';

/** The parts of a document that are in other tables than its email. */
const documentParts = ['text', 'recipients', 'attachments', 'warnings', 'events', 'extracts'] as const;
export type DocumentPart = (typeof documentParts)[number];

/** Maximum size in bytes of the emails that are read in one turn of the event loop. One email can be larger. */
const STEP_BYTES = 8 * 1024 * 1024;

const ALL_PARTS: ReadonlySet<DocumentPart> = new Set(documentParts);

/** Maximum size in bytes of the emails whose extracts are found and written together. One email can be larger. */
const UNEXTRACTED_BYTES = 1024 * 1024;
const UNEXTRACTED_PARTS: ReadonlySet<DocumentPart> = new Set(['text', 'recipients', 'attachments', 'extracts']);

/** Reads emails in the form in which queries test them. */
export class DocumentReader extends Table {
  readonly #seqs = this.sql.prepare(`SELECT id, seq FROM emails WHERE ${this.among('id')}`);
  readonly #sizes = this.sql.prepare(`SELECT seq, size FROM emails WHERE ${this.among('seq')}`);
  readonly #emails = this.sql.prepare(`SELECT seq, ${documentRow.names} FROM emails WHERE ${this.among('seq')}`);
  readonly #queries: Record<DocumentPart, Statement> = {
    text: this.#allOf('bodies', 'email_seq, text, text_key, text_size, html_size'),
    recipients: this.#allOf('recipients', '*', 'email_seq, position'),
    attachments: this.#allOf('attachments', 'email_seq, position, filename', 'email_seq, position'),
    warnings: this.#allOf('email_warnings', '*', 'seq'),
    events: this.sql.prepare(`SELECT seq, email_id, type FROM events WHERE ${this.among('email_id')} ORDER BY seq`),
    extracts: this.#allOf('email_extracts'),
  };
  readonly #html = this.#allOf('bodies', 'email_seq, html, html_key, html_size');
  readonly #refersToBodies = this.sql.prepare(REFERS_TO_BODIES);

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly contents: ContentTable,
  ) {
    super(sql, rows);
  }

  #allOf(table: string, columns = '*', order = 'email_seq'): Statement {
    return this.sql.prepare(`SELECT ${columns} FROM ${table} WHERE ${this.among('email_seq')} ORDER BY ${order}`);
  }

  /** Returns the documents of the emails with these IDs, in the same order. */
  async ofIds(ids: readonly string[]): Promise<SearchDocument[]> {
    const documents: SearchDocument[] = [];
    const numbers = new Map(await this.#seqs.tuples<[string, number]>(this.sql.list(ids)));
    const seqs = ids.map((id) => numbers.get(id)).filter((seq) => seq !== undefined);
    for await (const some of this.steps(seqs)) documents.push(...some);
    return documents;
  }

  /** Yields the documents like `ofSeqs`, in steps. Allows other work between them. */
  async *steps(seqs: readonly number[], parts = ALL_PARTS): AsyncGenerator<SearchDocument[]> {
    for (let rest = seqs; rest.length > 0 && this.sql.isOpen; ) {
      const step = await this.firstStep(rest);
      yield await this.ofSeqs(step, parts);
      rest = rest.slice(step.length);
      if (rest.length > 0) await this.sql.pause();
    }
  }

  /** Returns the first of these numbers whose emails are not too large to read at once: at least one. */
  async firstStep(seqs: readonly number[], maxBytes = STEP_BYTES): Promise<readonly number[]> {
    const sizes = new Map(await this.#sizes.tuples<[number, number]>(this.sql.list(seqs)));
    let bytes = 0;
    const end = seqs.findIndex((seq, index) => {
      bytes += sizes.get(seq) ?? 0;
      return index > 0 && bytes > maxBytes;
    });
    return end === -1 ? seqs : seqs.slice(0, end);
  }

  /**
   * Returns the first of these numbers, and their emails with what extracts follow from. Emails that cannot be read are
   * missing.
   */
  async unextracted(seqs: readonly number[]): Promise<{ seqs: readonly number[]; emails: UnextractedEmail[] }> {
    const head = (seq: number, email: DocumentRow) => ({
      ...documentOf(seq, email),
      scheduledAt: email.scheduledAt,
    });
    const first = await this.firstStep(seqs, UNEXTRACTED_BYTES);
    const documents = await this.#read(first, UNEXTRACTED_PARTS, head);
    const htmlOf = await this.#htmlOf(first);
    const emails = documents.flatMap((document) => {
      const html = htmlOf.get(document.seq);
      return html === undefined ? [] : [{ ...document, html }];
    });
    return { seqs: first, emails };
  }

  /** Returns the HTML of emails by their numbers, without what is incomplete. */
  async #htmlOf(seqs: readonly number[]): Promise<Map<number, string>> {
    const keys = this.sql.list(seqs);
    const found = new Map<number, string>();
    const rows = await this.rows.all(
      'bodies',
      () => this.#html.all(keys),
      (row) => ({ seq: row.key('email_seq'), held: readHtml(row) }),
    );
    for (const { seq, held } of rows) {
      const read = await this.contents.readOf('emails', { seq }, [null, held], this.#refersToBodies);
      if (read) found.set(seq, read[1]?.toString() ?? '');
    }
    return found;
  }

  /** Returns the documents of the emails with these numbers, in the same order. Other parts than `parts` are empty. */
  ofSeqs(seqs: readonly number[], parts = ALL_PARTS): Promise<SearchDocument[]> {
    return this.#read(seqs, parts, documentOf);
  }

  async #read<Head extends FromEmail>(
    seqs: readonly number[],
    parts: ReadonlySet<DocumentPart>,
    headOf: (seq: number, email: DocumentRow) => Head,
  ): Promise<(Head & Omit<SearchDocument, keyof FromEmail>)[]> {
    if (seqs.length === 0) return [];
    const keys = this.sql.list(seqs);
    const emails = new Map(await this.rows.all('emails', () => this.#emails.all(keys), readNumbered));
    const read = async <T>(part: DocumentPart, table: string, parse: (row: Columns) => [key: number, value: T]) =>
      grouped(parts.has(part) ? await this.rows.all(table, () => this.#queries[part].all(keys), parse) : []);
    const recipients = await read('recipients', 'recipients', (row) => [row.key('email_seq'), readRecipient(row)]);
    const attachments = await read('attachments', 'attachments', (row) => [row.key('email_seq'), row.text('filename')]);
    const warnings = await read('warnings', 'email_warnings', (row) => [
      row.key('email_seq'),
      readEmailWarning(row).code,
    ]);
    const extracts = await read('extracts', 'email_extracts', (row) => [row.key('email_seq'), readExtracts(row)]);
    const texts = await read('text', 'bodies', (row) => [row.key('email_seq'), readText(row)]);
    const events = await this.#eventsOf(parts.has('events') ? Array.from(emails.values(), ({ id }) => id) : []);
    const documents: (Head & Omit<SearchDocument, keyof FromEmail>)[] = [];
    for (const seq of seqs) {
      const email = emails.get(seq);
      const row = texts.get(seq)?.[0];
      const plain = row ? await readTextOf(row, this.contents, this.#refersToBodies) : '';
      if (!email || plain === undefined) continue;
      documents.push({
        ...headOf(seq, email),
        text: plain,
        hasHtml: row?.hasHtml ?? false,
        recipients: recipients.get(seq) ?? [],
        attachments: attachments.get(seq) ?? [],
        warnings: warnings.get(seq) ?? [],
        events: [...new Set(events.get(email.id) ?? [])],
        extracts: extracts.get(seq)?.[0],
      });
    }
    return documents;
  }

  async #eventsOf(ids: readonly string[]) {
    if (ids.length === 0) return new Map<string, never[]>();
    return grouped(await this.rows.all('events', () => this.#queries.events.all(this.sql.list(ids)), readEventType));
  }
}

const type = oneOf('type', eventTypes);
const emailId = text('email_id');

function readEventType(row: Columns): [string, (typeof eventTypes)[number]] {
  row.key('seq');
  return [emailId.read(row), type.read(row)];
}

function readNumbered(row: Columns): [number, DocumentRow] {
  return [row.key('seq'), documentRow.read(row)];
}

function grouped<K, T>(pairs: readonly [K, T][]): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

type FromEmail = Omit<
  SearchDocument,
  'text' | 'hasHtml' | 'recipients' | 'attachments' | 'warnings' | 'events' | 'extracts'
>;

export function documentOf(seq: number, email: DocumentRow): FromEmail {
  const { id, origin, workspace, status, from, fromMailbox, replyTo, subject, templateId, size } = email;
  const { createdAt, capturedAt } = email;
  const tags = [...email.tags, ...email.addedTags];
  const head = { seq, id, origin, workspace, status, from, fromMailbox, replyTo, subject, tags, templateId, size };
  return { ...head, read: email.readAt !== null, createdAt, capturedAt };
}
