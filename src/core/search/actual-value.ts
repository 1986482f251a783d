import { type Condition, conditionsOf, type Query } from '../../contract/vocabulary/query/query.js';
import { firstFew, shortened } from '../../contract/vocabulary/text.js';
import { timestamp } from '../context.js';
import type { RecipientKind } from '../model/emails.js';
import type { KnownExtracts, SearchDocument } from '../model/search.js';

/** Describes what an email has in the fields that a query tests. */

const CHARACTERS = 100;
const NOT_SEARCHED = 'content not searched yet';

/** Returns what the email has in the fields of a query, on one line without control characters. */
export function actualOf(query: Query, document: SearchDocument): string {
  const texts = new Map<string, string>();
  for (const condition of conditionsOf(query)) {
    const name = condition.field === 'any' ? '' : condition.field;
    if (!texts.has(name)) texts.set(name, printable(fieldValue(condition, document)));
  }
  if (texts.size === 1) return [...texts.values()].join('');
  return [...texts].map(([name, text]) => (name === '' ? text : `${name}: ${text}`)).join('; ');
}

/** Removes control and format characters, which could change how a terminal shows the line. */
function printable(text: string): string {
  const line = text
    .slice(0, 20 * CHARACTERS)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '');
  return shortened(line.trim().toWellFormed(), CHARACTERS);
}

function fieldValue(condition: Condition, document: SearchDocument): string {
  const { extracts } = document;
  switch (condition.field) {
    case 'any':
      return [document.subject, content(document)].filter((text) => text !== '').join(' – ') || 'no text';
    case 'from':
      return document.from;
    case 'cc':
    case 'bcc':
      return recipients(document, condition.field);
    case 'recipient':
      return list(
        document.recipients.map(({ address }) => address),
        'no recipient',
      );
    case 'dropped':
      return list(
        document.recipients.filter(({ status }) => status === 'dropped').map(({ address }) => address),
        'no dropped recipient',
      );
    case 'subject':
      return document.subject || 'no subject';
    case 'text':
      return content(document) || 'no text';
    case 'attachment':
      return list(document.attachments, 'no attachment');
    case 'header':
      return headers(extracts, condition.name);
    case 'message-id':
      return headers(extracts, 'message-id');
    case 'has':
      return contained(condition.word, document);
    default:
      return state(condition, document);
  }
}

function state(condition: Condition, document: SearchDocument): string {
  switch (condition.field) {
    case 'tag':
      return list(document.tags, 'no tag');
    case 'status':
      return document.status;
    case 'is':
      if (condition.word === 'unread' || condition.word === 'read') return document.read ? 'read' : 'unread';
      if (condition.word === 'scheduled') return document.status;
      return list([...new Set(document.recipients.map(({ status }) => status))], 'no recipient');
    case 'origin':
      return document.origin;
    case 'event':
      return list([...new Set(document.events)], 'no event');
    case 'id':
      return document.id;
    case 'template':
      return document.templateId ?? 'no template';
    case 'workspace':
      return document.workspace ?? 'no workspace';
    case 'larger':
    case 'smaller':
      return `${document.size} bytes`;
    default:
      return `created at ${timestamp(document.createdAt)}`;
  }
}

function content({ text, hasHtml, extracts }: SearchDocument): string {
  if (text !== '') return text;
  return extracts?.htmlText ?? (hasHtml ? NOT_SEARCHED : '');
}

function recipients({ recipients: all }: SearchDocument, kind: RecipientKind): string {
  const names = { to: 'To', cc: 'Cc', bcc: 'Bcc' };
  return list(
    all.filter((each) => each.kind === kind).map(({ address }) => address),
    `no ${names[kind]} recipient`,
  );
}

function headers(extracts: KnownExtracts | undefined, name: string): string {
  if (!extracts) return NOT_SEARCHED;
  const values = extracts.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return list(values, `no header ${name}`);
}

/** Returns how many of something the email contains, such as `no link` or `2 links`. */
function contained(word: string, { attachments, hasHtml, extracts, warnings }: SearchDocument): string {
  if (word === 'html') return hasHtml ? 'HTML' : 'no HTML';
  if ((word === 'link' || word === 'code') && !extracts?.links) return NOT_SEARCHED;
  const counts: Record<string, number> = {
    attachment: attachments.length,
    link: extracts?.links?.length ?? 0,
    code: extracts?.codes?.length ?? 0,
    warning: warnings.length,
  };
  const count = counts[word] ?? 0;
  return count === 0 ? `no ${word}` : `${count} ${word}${count === 1 ? '' : 's'}`;
}

function list(values: readonly string[], none: string): string {
  return values.length === 0 ? none : firstFew(values);
}
