import type { EmailSelection } from '../../../../contract/control/emails/change.js';
import { readAnyAddress } from '../../../../contract/vocabulary/addresses.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { MEBIBYTE, RECIPIENTS_MAX, REQUEST_BODY_BYTES, TAGS_MAX } from '../../../../contract/vocabulary/limits.js';
import { changeInBatches, deleteBatches, undoDeletion } from '../../../mail/deletion.js';
import { afterAllParsing, afterParsing } from '../../../mail/inbound/message-reader.js';
import type { ReceivedEnvelope } from '../../../model/received.js';
import { UnprocessableError } from '../../../ports.js';
import { compileText } from '../../../search/compile-query.js';
import type { Transaction } from '../../../transaction.js';
import { unknownEmail } from '../../service/emails.js';
import type { ControlCall, ControlHandler, ControlHandlers } from '../context.js';

/** Implements the control API's endpoints that delete captured emails, mark them as read, or change their tags. */

/** Number of emails that one search returns. */
const FOUND_AT_ONCE = 1_000;

const deleteEmail: ControlHandler<'emails.delete'> = async ({ params: { id } }, { store }) => {
  if ((await store.write((tx) => tx.emails.delete([id]))) > 0) return;
  // Refuses the email of a workspace that the key cannot change.
  await store.read.emails.state(id);
  throw unknownEmail(id);
};

const deleteSelectedEmails: ControlHandler<'emails.delete_selected'> = async ({ body }, context) => {
  const { store, clock, signal } = context;
  const id = body.undo_id;
  const deletion = id === undefined ? undefined : () => ({ id, at: clock.systemNow() });
  return { deleted: await deleteBatches(store, selectedIds(body, context), signal, deletion) };
};

const restoreEmails: ControlHandler<'emails.restore'> = async ({ body: { undo_id: id } }, { store, clock }) => {
  const restored = await undoDeletion(store, { id, at: clock.systemNow() });
  if (restored > 0) return { restored };
  throw new ServiceError('not_found', 'No deletion with this undo_id can be undone.');
};

const updateEmail: ControlHandler<'emails.update'> = async ({ params: { id }, body: { read } }, context) => {
  const { store, clock } = context;
  if (!(await store.write((tx) => tx.emails.setRead(id, read ? clock.now() : null)))) throw unknownEmail(id);
  return { id, read };
};

const markEmails: ControlHandler<'emails.mark'> = async ({ body }, context) => {
  const { store, clock, signal } = context;
  const { add_tags: add = [], remove_tags: remove = [] } = body;
  const changesTags = add.length > 0 || remove.length > 0;
  const read = body.read ?? (changesTags ? undefined : true);
  const mark = async (tx: Transaction, some: readonly string[]) => {
    let count = 0;
    for (const id of some) {
      const isChanged = !changesTags || (await changeTags(tx, id, { add, remove }));
      const isMarked = read === undefined || (await tx.emails.setRead(id, read ? clock.now() : null));
      if (isChanged && isMarked) count += 1;
    }
    return count;
  };
  return { updated: await changeInBatches({ store, signal, verb: 'changed' }, selectedIds(body, context), mark) };
};

/** Adds and removes tags of an email, next to those of its sender. Returns false if it does not exist. */
async function changeTags(tx: Transaction, id: string, { add, remove }: Record<'add' | 'remove', string[]>) {
  const email = await tx.emails.findWithoutBodies(id);
  if (!email) return false;
  const { tags } = email;
  const addedTags = [...new Set([...email.addedTags, ...add])].filter(
    (tag) => !tags.includes(tag) && !remove.includes(tag),
  );
  if (addedTags.length > Math.max(TAGS_MAX, email.addedTags.length)) {
    throw new ServiceError('invalid', `Email ${id} would have more than ${TAGS_MAX} added tags.`);
  }
  return tx.emails.setTags(id, { tags, addedTags });
}

/**
 * Yields the IDs of selected emails, newest first. Emails that arrive meanwhile are not among them.
 * @throws ServiceError for an ID that does not exist, unless that is allowed, and for an invalid query.
 */
async function* selectedIds(selection: EmailSelection, context: ControlCall): AsyncGenerator<string[]> {
  const { store, clock, signal } = context;
  if (selection.ids) {
    if (!selection.if_exists) await refuseUnknown(selection.ids, context);
    yield [...new Set(selection.ids)];
    return;
  }
  const matcher = await compileText({ path: 'search', in: 'body' }, selection.search ?? '', clock.now());
  // Otherwise a condition on links, for example, would miss the newest emails.
  await context.extractPending(matcher.needs);
  let before: number | undefined;
  do {
    const { emails, next } = await store.read.emails.search(matcher, { limit: FOUND_AT_ONCE, before });
    yield emails.map(({ id }) => id);
    before = next ?? undefined;
  } while (before !== undefined && !signal.aborted);
}

async function refuseUnknown(ids: readonly string[], { store }: ControlCall): Promise<void> {
  for (const id of ids) {
    if (await store.read.emails.state(id)) continue;
    const hint = ids.length > 1 ? 'Nothing was changed. Correct the ID, or leave it out.' : undefined;
    throw new ServiceError('not_found', unknownEmail(id).message, undefined, hint);
  }
}

/** Implements the control API's endpoint that captures a message without SMTP. */

const ENVELOPE_HINT = 'Correct the header of the message, or pass mail_from and rcpt_to.';

const captureMessage: ControlHandler<'emails.capture', 'accept' | 'importMessage' | 'readEnvelope'> = async (
  { body, query },
  context,
) => {
  const { readEnvelope, accept, importMessage, key } = context;
  const bytes = await collect(body);
  // The body may have taken longer than the key was valid.
  await context.recheck();
  if (bytes.byteLength === 0) throw new ServiceError('invalid', 'The message is empty.');
  const { mail_from, rcpt_to } = query;
  const fromHeader =
    mail_from !== undefined && rcpt_to !== undefined ? NO_ENVELOPE : await readEnvelope(bytes).catch(unreadable);
  const envelope = { mailFrom: mail_from ?? fromHeader.mailFrom, recipients: rcpt_to ?? fromHeader.recipients };
  const message = { ...readable(envelope), bytes };
  if (query.import_key !== undefined) return importMessage(message, key.workspace, query.import_key);
  return { id: await accept(message, key.workspace) };
};

const NO_ENVELOPE: ReceivedEnvelope = { mailFrom: '', recipients: [] };

function unreadable(error: unknown): never {
  if (!(error instanceof UnprocessableError)) throw error;
  const message = `The addresses in the header cannot be read. ${error.message}`;
  throw new ServiceError('invalid', message, undefined, ENVELOPE_HINT);
}

/** Returns the envelope with bare addresses. @throws ServiceError for one that SMTP would refuse. */
function readable({ mailFrom, recipients }: ReceivedEnvelope): ReceivedEnvelope {
  if (recipients.length === 0) {
    throw new ServiceError('invalid', 'The message has no recipient in To, Cc or Bcc.', undefined, ENVELOPE_HINT);
  }
  if (recipients.length > RECIPIENTS_MAX) {
    throw new ServiceError('invalid', `The message has more than ${RECIPIENTS_MAX} recipients.`);
  }
  return { mailFrom: mailFrom === '' ? '' : mailbox(mailFrom), recipients: recipients.map(mailbox) };
}

function mailbox(input: string): string {
  const read = readAnyAddress(input);
  if (!('problem' in read)) return read.address;
  throw new ServiceError('invalid', `Address ${JSON.stringify(input)} ${read.problem}.`, undefined, ENVELOPE_HINT);
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > REQUEST_BODY_BYTES) {
      throw new ServiceError('bad_request', `The request body is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

export const changeHandlers = {
  'emails.delete': deleteEmail,
  'emails.delete_selected': afterAllParsing(deleteSelectedEmails),
  'emails.restore': restoreEmails,
  'emails.update': afterParsing(updateEmail),
  'emails.mark': afterAllParsing(markEmails),
  'emails.capture': captureMessage,
} satisfies Partial<ControlHandlers>;
