import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiFailure } from '../../../../client/failures.js';
import { useControlChange, useInbox, useReconnected } from '../../../api/calls.js';
import { newUndoId } from '../../../api/undo-offer.js';
import { plural } from '../../../components/format.js';
import { loadable } from '../../../components/loadable.js';
import { ErrorBoundary } from '../../../components/states.js';
import { type Selection, useReset } from './use-selection.js';

const ConfirmAction = loadable(() => import('../../../components/dialog.js').then((file) => file.ConfirmAction), null);
/** Milliseconds after the first view at which the dialog is loaded, so that it opens at once. */
const PRELOAD_MS = 300;

export interface EmailActions {
  /** Marks the selected emails as read or unread. */
  mark(read: boolean): void;
  markOne(id: string, read: boolean): void;
  /** Marks all emails of the list as read. */
  markAllRead(): void;
  /** Deletes the selected emails, after a confirmation. */
  removeSelected(): void;
  /** Deletes one email, whatever is selected, after a confirmation. */
  removeOne(id: string, onDone: () => void): void;
  /** What the user has to confirm. */
  confirmation: ReactNode;
  /** Why the last action failed. */
  error: unknown;
}

interface Options {
  search: string;
  /** The list that is shown. */
  scope: string;
  selection: Selection;
  /** Whether the number of selected emails is that of all matches. */
  isExact: boolean;
}

/** Returns the actions on emails of the list. */
export function useEmailActions({ search, scope, selection, isExact }: Options): EmailActions {
  const [asked, setAsked] = useState<'selected' | { id: string; onDone(): void }>();
  // One for all attempts at a deletion, so that an undo restores what each of them deleted.
  const undoId = useMemo(() => (asked ? newUndoId() : ''), [asked]);
  const one = typeof asked === 'object' ? asked : undefined;
  useReset(scope, () => setAsked(undefined));
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const timer = setTimeout(() => void ConfirmAction.load().catch(() => {}), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useReconnected(() => setError(undefined));
  const { undo } = useInbox();
  const marking = useControlChange('emails.mark', 'summary');
  const deletion = useControlChange('emails.delete_selected', 'summary');
  const selected = selectionOf(search, selection);
  const mark = (body: Parameters<typeof marking.mutate>[0]['body']) => {
    setError(undefined);
    marking.mutate({ body }, { onError: setError });
  };
  const remove = async () => {
    setError(undefined);
    const body = { ...(one ? { ids: [one.id] } : selected), if_exists: true, undo_id: undoId };
    const deleted = await deletion.mutateAsync({ body }).catch((failure: unknown) => {
      // A part may be deleted.
      if (!isRefused(failure)) undo.set({ undoId, text: 'Some emails may be deleted' });
      throw failure;
    });
    if (deleted.deleted > 0) undo.set({ undoId, text: `${plural(deleted.deleted, 'email')} deleted` });
    // The dialog gives the focus back before it moves on.
    flushSync(() => setAsked(undefined));
    if (!one) return selection.clear();
    selection.deselect(one.id);
    one.onDone();
  };
  return {
    mark: (read) => mark({ ...selected, read, if_exists: true }),
    markOne: (id, read) => mark({ ids: [id], read, if_exists: true }),
    markAllRead: () => mark({ ...allOf(search), read: true, if_exists: true }),
    removeSelected: () => setAsked('selected'),
    removeOne: (id, onDone) => setAsked({ id, onDone }),
    confirmation: (one || (asked && selection.count > 0)) && (
      <ErrorBoundary>
        <ConfirmAction
          title={one ? 'Delete this email?' : question(selection, isExact)}
          action="Delete"
          onConfirm={remove}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {one ? 'Its' : 'Their'} events and webhook deliveries are deleted, too. You can undo this for ten seconds.
          </p>
        </ConfirmAction>
      </ErrorBoundary>
    ),
    error,
  };
}

function question({ isAll, count }: Selection, isExact: boolean): string {
  if (isAll && !isExact) return 'Delete all matching emails?';
  return `Delete ${isAll && count > 1 ? 'all ' : ''}${plural(count, 'email')}?`;
}

function isRefused(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.status < 500;
}

function selectionOf(search: string, { isAll, ids }: Selection) {
  if (!isAll) return { ids: [...ids] };
  return allOf(search);
}

const allOf = (search: string) => (search === '' ? { all: true as const } : { search });
