import type { Condition, Query } from '../../../contract/vocabulary/query/query.js';
import type { DocumentPart } from '../tables/mail/documents.js';

const partsOfField: Record<Condition['field'], readonly DocumentPart[]> = {
  any: ['bodies', 'recipients', 'attachments', 'extracts'],
  text: ['bodies', 'extracts'],
  cc: ['recipients'],
  bcc: ['recipients'],
  recipient: ['recipients'],
  dropped: ['recipients'],
  is: ['recipients'],
  has: ['bodies', 'attachments', 'warnings', 'extracts'],
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
