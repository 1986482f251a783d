import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import styles from './confirm-action.module.css';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';

interface Props {
  title: string;
  /** The verb of the button. */
  action: string;
  /** How the button looks; `primary` for an action that destroys nothing. */
  kind?: 'destructive' | 'primary';
  /** Runs after the confirmation. What it throws is shown, and the dialog stays open. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

/** Asks before an action, closes after it, and shows why it failed. */
export function ConfirmAction({ title, action, kind = 'destructive', onConfirm, onClose, children }: Props) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error !== undefined && <Problem error={error} />}
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={kind} data-autofocus aria-disabled={isBusy} onClick={() => void run()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
