import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { DELETION_UNDO_MS } from '../../../contract/vocabulary/limits.js';
import { useControlChange } from '../../api/calls.js';
import { describeFailure, isNotFound } from '../../api/failures.js';
import { Button, IconButton } from '../../components/button.js';
import { shortcutsOf } from '../shortcuts/parts.js';
import { useShortcuts } from '../shortcuts/shortcuts.js';
import { offerUndo, type Undoable, undoable } from './undo.js';
import styles from './undo-toast.module.css';

/** Offers to undo the last deletion, for as long as the server keeps its emails. */
export function UndoToast() {
  const offered = useSyncExternalStore(undoable.subscribe, undoable.get);
  return <div role="status">{offered && <Offer key={offered.undoId} {...offered} />}</div>;
}

function Offer({ undoId, text }: Undoable) {
  const restoring = useControlChange('emails.restore', 'summary');
  const [isOver, setOver] = useState(false);
  const failure = restoring.error ? describeFailure(restoring.error).message : undefined;
  const close = () => offerUndo(undefined);
  const undo = () => {
    if (!restoring.isPending) restoring.mutate({ body: { undo_id: undoId } }, { onSuccess: close });
  };
  useShortcuts(shortcutsOf('Deletion', { z: undo }));
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), DELETION_UNDO_MS);
    return () => clearTimeout(timer);
  }, []);
  // A failure stays until the user has read it.
  const isDone = isOver && !restoring.isPending && failure === undefined;
  useEffect(() => {
    if (isDone) offerUndo(undefined);
  }, [isDone]);
  return (
    <div className={styles.toast}>
      <span>{failure ?? text}</span>
      {!isNotFound(restoring.error) && (
        <Button aria-keyshortcuts="z" title="Undo (z)" onClick={undo}>
          Undo
        </Button>
      )}
      <IconButton label="Close" icon={X} onClick={close} />
    </div>
  );
}
