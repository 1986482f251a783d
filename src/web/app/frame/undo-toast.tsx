import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { DELETION_UNDO_MS } from '../../../contract/vocabulary/limits.js';
import { useControlChange, useInbox } from '../../api/calls.js';
import { describeFailure, isNotFound } from '../../api/failures.js';
import type { Undoable } from '../../api/undo-offer.js';
import { Button, IconButton } from '../../components/button.js';
import { shortcutsOf } from '../shortcuts/parts.js';
import { useShortcuts } from '../shortcuts/shortcuts.js';
import styles from './undo-toast.module.css';

/** Offers to undo the last deletion, for as long as the server keeps its emails. */
export function UndoToast() {
  const { undo } = useInbox();
  const offered = useSyncExternalStore(undo.subscribe, undo.get);
  return <div role="status">{offered && <Offer key={offered.undoId} {...offered} />}</div>;
}

function Offer({ undoId, text }: Undoable) {
  const { undo: offer } = useInbox();
  const restoring = useControlChange('emails.restore', 'summary');
  const [isOver, setOver] = useState(false);
  const failure = restoring.error ? describeFailure(restoring.error).message : undefined;
  const close = () => offer.set(undefined);
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
    if (isDone) offer.set(undefined);
  }, [isDone, offer]);
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
