import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.js';
import { Problem } from './form/form.js';

interface Props {
  title: string;
  /** The verb of the button. */
  action: string;
  /** Runs after the confirmation. What it throws is shown, and the dialog stays open. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

/** Asks before an action, closes after it, and shows why it failed. */
export function ConfirmAction({ onConfirm, onClose, children, ...dialog }: Props) {
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
    <ConfirmDialog {...dialog} onConfirm={() => void run()} onClose={onClose}>
      {children}
      {error !== undefined && <Problem error={error} />}
    </ConfirmDialog>
  );
}
