import type { Condition, Query } from '../../../../contract/vocabulary/query/query.js';
import type { EmailMatcher, FoundEmail, SearchPage, SearchResult } from '../../../../core/model/search.js';
import type { Columns } from '../../rows/columns.js';
import { foundRow } from '../../rows/emails.js';
import type { Candidates, Range } from '../../search/steps.js';
import { type Awaitable, type Rows, type Sql, Table } from '../../sql.js';
import type { DocumentPart, DocumentReader } from './documents.js';

const partsOfField: Record<Condition['field'], readonly DocumentPart[]> = {
  any: ['text', 'recipients', 'attachments', 'extracts'],
  text: ['text', 'extracts'],
  cc: ['recipients'],
  bcc: ['recipients'],
  recipient: ['recipients'],
  dropped: ['recipients'],
  is: ['recipients'],
  has: ['text', 'attachments', 'warnings', 'extracts'],
  attachment: ['attachments'],
  event: ['events'],
  header: ['extracts'],
  'message-id': ['extracts'],
  from: [],
  subject: [],
  tag: [],
  id: [],
  template: [],
  workspace: [],
  status: [],
  origin: [],
  before: [],
  after: [],
  larger: [],
  smaller: [],
};

/** Returns the parts of emails that a query tests. */
export function partsOf(query: Query): Set<DocumentPart> {
  if (query.kind === 'condition') return new Set(partsOfField[query.field]);
  const terms = query.kind === 'not' ? [query.term] : query.terms;
  return new Set(terms.flatMap((term) => [...partsOf(term)]));
}

/** Maximum number of emails to test in one turn of the event loop, which takes a few milliseconds. */
const TESTED_PER_TURN = 128;
/** Maximum number of emails that one search tests. Another search can continue where it stopped. */
const TESTED_MAX = 10_000;

/** Characters of the text to read for a preview. White space is removed from them later. */
const PREVIEW_READ = 600;
/** SQL for the start of an email's text, or of its HTML as text. */
const PREVIEW = `coalesce(
  nullif((SELECT ltrim(substr(text, 1, ${PREVIEW_READ}), ' \t\n\r') FROM bodies WHERE email_seq = seq), ''),
  (SELECT substr(html_text, 1, ${PREVIEW_READ}) FROM email_extracts WHERE email_seq = seq),
  '')`;

/** The emails of a search among which candidates are: after and before numbers, and of a workspace if it is given. */
export interface Scope extends Range {
  workspace: string | null | undefined;
}

/** Finds candidates of searches with SQL. */
export interface CandidateFinder {
  of(matcher: EmailMatcher, scope: Scope): Promise<Candidates>;
}

/** Finds the emails that match a query. SQL narrows the search, and the query's matcher decides. */
export class EmailSearch extends Table {
  readonly #found = this.sql.prepare(`SELECT seq, ${foundRow.names}, ${PREVIEW} AS preview,
         (SELECT count(*) FROM attachments WHERE email_seq = seq) AS attachments,
         (SELECT count(*) FROM recipients WHERE email_seq = seq) AS recipient_count,
         (SELECT count(*) FROM recipients WHERE email_seq = seq AND status = 'dropped') AS dropped_count,
         (SELECT count(*) FROM unparsed WHERE unparsed.seq = emails.seq) AS parsing
       FROM emails WHERE ${this.among('seq')} ORDER BY seq DESC`);
  readonly #upTo = this.sql.prepare('SELECT seq, captured_at FROM emails WHERE seq <= ? ORDER BY seq DESC LIMIT 1');

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly documents: DocumentReader,
    private readonly candidates: CandidateFinder,
  ) {
    super(sql, rows);
  }

  /** Returns the number of the newest email that was ever accepted. */
  lastSeq(): Awaitable<number> {
    return this.sql.lastEmail();
  }

  /** Returns the number of the last email captured before an instant. The instants rise with the numbers. */
  async seqSince(capturedAt: number): Promise<number> {
    const last = (upTo: number) => this.#upTo.tuple<[seq: number, capturedAt: number]>(upTo);
    let [low, high] = [0, await this.lastSeq()];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = await last(middle);
      if (row && row[1] >= capturedAt) high = row[0] - 1;
      else low = middle;
    }
    return (await last(low))?.[0] ?? 0;
  }

  /** Stops counting when the page is full. Allows other work between its steps. */
  async run(matcher: EmailMatcher, page: SearchPage): Promise<SearchResult> {
    const { limit, offset = 0, before = Number.MAX_SAFE_INTEGER, after = 0, workspace } = page;
    const candidates = await this.candidates.of(matcher, { before, after, workspace });
    const parts = partsOf(matcher.query);
    const matches: number[] = [];
    const wanted = offset + limit + 1;
    for (let tested = 0; matches.length < wanted && tested < TESTED_MAX; ) {
      const seqs = await candidates.next(candidates.isExact ? wanted - matches.length : TESTED_PER_TURN);
      const found = candidates.isExact ? seqs : await this.#matching(matcher, seqs, parts);
      for (const seq of found) matches.push(seq);
      tested += candidates.isExact ? 0 : seqs.length;
      if (candidates.isAtEnd || candidates.isOverLimit) break;
      await this.sql.pause();
      if (!this.sql.isOpen) break;
    }
    const found = matches.slice(offset, offset + limit);
    return {
      emails: await this.rows.all('emails', () => this.#found.all(this.sql.list(found)), readFound),
      total: matches.length,
      isTotalExact: candidates.isAtEnd && page.before === undefined,
      next: nextOf(candidates, matches.length >= wanted ? found.at(-1) : undefined),
    };
  }

  async #matching(matcher: EmailMatcher, seqs: readonly number[], parts: ReturnType<typeof partsOf>) {
    const matching: number[] = [];
    for await (const documents of this.documents.steps(seqs, parts)) {
      for (const document of documents) if (matcher.matches(document)) matching.push(document.seq);
    }
    return matching;
  }
}

/** Returns where to continue: after the last email of a full page, else where the search stopped. */
function nextOf(candidates: Candidates, lastOfFullPage: number | undefined): number | null {
  if (lastOfFullPage !== undefined) return lastOfFullPage;
  return candidates.isAtEnd ? null : candidates.before;
}

function readFound(row: Columns): FoundEmail {
  return {
    seq: row.key('seq'),
    ...foundRow.read(row),
    preview: row.text('preview'),
    attachments: row.integer('attachments', 0),
    recipients: row.integer('recipient_count', 0),
    dropped: row.integer('dropped_count', 0),
    parsing: row.integer('parsing', 0) > 0,
  };
}
