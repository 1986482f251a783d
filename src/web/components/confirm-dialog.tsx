import type { ReactNode } from 'react';
import { Button } from './button.js';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.js';

interface Props {
  title: string;
  /** The verb of the button. */
  action: string;
  onConfirm(): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" data-autofocus onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
