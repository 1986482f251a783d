import { nearestName } from '../helpers/nearest-name.js';
import { type FieldName, fieldNames, fieldOfWord, formOf } from './fields.js';
import { placeIn, QueryError, quotedPart } from './query-error.js';

/** Describes unknown fields and words, and what the user may have meant. */

/** Fields of other mail searches. */
const synonyms: Record<string, FieldName> = {
  sender: 'from',
  addressed: 'to',
  body: 'text',
  html: 'text',
  title: 'subject',
  label: 'tag',
  filename: 'attachment',
  since: 'after',
  newer: 'after',
  'newer-than': 'after',
  older: 'before',
  'older-than': 'before',
  until: 'before',
  bigger: 'larger',
  size: 'larger',
  state: 'status',
  msgid: 'message-id',
};

/** `rest` is what follows the colon, up to a space. */
export function unknownField(query: string, position: number, written: string, rest: string): QueryError {
  const name = written.toLowerCase();
  const meant = synonyms[name.replace(/_/g, '-')] ?? nearestName(name, fieldNames);
  const text = `${written}:${rest}`;
  const quote = text.includes('"')
    ? 'To search for the text, quote it.'
    : `To search for the text, quote it: ${quotedPart(text)}.`;
  const hint = meant === undefined ? quote : `Did you mean "${meant}:"? ${quote}`;
  return new QueryError(
    placeIn(query, position),
    `unknown field ${quotedPart(written)}`,
    'a field such as from, to or subject',
    hint,
  );
}

export function unknownWord(query: string, position: number, field: FieldName, written: string): QueryError {
  const words = formOf(field).words ?? [];
  const word = written.toLowerCase();
  const other = fieldOfWord(word);
  const endsWithWord = (known: string) => known.endsWith(`.${word}`);
  const meant = words.find(endsWithWord) ?? nearestName(word, words);
  // Such as dropped, which is no status of an email.
  const event = formOf('event').words?.find(endsWithWord);
  const [suggested] = [meant && `${field}:${meant}`, other && `${other}:${word}`, event && `event:${event}`].filter(
    Boolean,
  );
  const expected = `one of ${words.join(', ')}`;
  const hint = suggested && `Did you mean "${suggested}"?`;
  return new QueryError(
    placeIn(query, position),
    `unknown value ${quotedPart(written)} of "${field}:"`,
    expected,
    hint || undefined,
  );
}
