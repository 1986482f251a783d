import { type ReactNode, useEffect, useState } from 'react';
import { useControlChange, useInbox } from '../../../api/calls.js';
import { ConfirmAction } from '../../../components/confirm-action.js';
import { plural } from '../../../components/format.js';
import { type Selection, useReset } from './use-selection.js';

export interface EmailActions {
  /** Marks the selected emails as read or unread. */
  mark(read: boolean): void;
  markOne(id: string, read: boolean): void;
  /** Deletes the selected emails. Asks first for several. */
  removeSelected(): void;
  /** Deletes one email, whatever is selected. */
  removeOne(id: string, onDone?: () => void): void;
  isDeleting: boolean;
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
  const [isAsked, setAsked] = useState(false);
  useReset(scope, () => setAsked(false));
  const [error, setError] = useError();
  const marking = useControlChange('emails.mark', 'summary');
  const deletion = useControlChange('emails.delete_selected', 'summary');
  const selected = selectionOf(search, selection);
  const mark = (body: Parameters<typeof marking.mutate>[0]['body']) => {
    setError(undefined);
    marking.mutate({ body }, { onError: setError });
  };
  const remove = (body: Parameters<typeof deletion.mutate>[0]['body'], onSuccess: () => void) => {
    if (deletion.isPending) return;
    setError(undefined);
    deletion.mutate({ body }, { onSuccess, onError: setError });
  };
  const removeAll = async () => {
    setError(undefined);
    await deletion.mutateAsync({ body: { ...selected, if_exists: true } });
    selection.clear();
  };
  return {
    mark: (read) => mark({ ...selected, read, if_exists: true }),
    markOne: (id, read) => mark({ ids: [id], read, if_exists: true }),
    removeSelected() {
      if (selection.isAll || selection.count > 1) setAsked(true);
      else remove({ ...selected, if_exists: true }, selection.clear);
    },
    removeOne(id, onDone) {
      remove({ ids: [id], if_exists: true }, () => {
        selection.deselect(id);
        onDone?.();
      });
    },
    isDeleting: deletion.isPending,
    confirmation: isAsked && selection.count > 0 && (
      <ConfirmAction
        title={question(selection, isExact)}
        action="Delete"
        onConfirm={removeAll}
        onClose={() => setAsked(false)}
      >
        <p>Their events and webhook deliveries remain. This cannot be undone.</p>
      </ConfirmAction>
    ),
    error,
  };
}

/** Holds why an action failed, until the server is connected again. */
function useError() {
  const { live } = useInbox();
  const [error, setError] = useState<unknown>();
  useEffect(() => live.subscribe(() => live.state === 'live' && setError(undefined)), [live]);
  return [error, setError] as const;
}

function question({ isAll, count }: Selection, isExact: boolean): string {
  if (isAll && !isExact) return 'Delete all matching emails?';
  return `Delete ${isAll && count > 1 ? 'all ' : ''}${plural(count, 'email')}?`;
}

function selectionOf(search: string, { isAll, ids }: Selection) {
  if (!isAll) return { ids: [...ids] };
  return search === '' ? { all: true as const } : { search };
}
