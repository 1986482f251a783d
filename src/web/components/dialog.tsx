import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button.js';
import styles from './dialog.module.css';
import { Problem } from './states.js';

interface Props {
  title: string;
  /** Hides the title from view, but not from screen readers. */
  bare?: boolean;
  onClose(): void;
  children: ReactNode;
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus in it, and gives it back.
 * The element with `data-autofocus` gets it first.
 */
export function Dialog({ title, bare = false, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  /** Where the last press began: a selection of text may end outside. */
  const pressed = useRef<EventTarget>(null);
  const id = useId();
  // Takes the focus before the browser handles another key.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog; a click outside is only for the mouse
    <dialog
      ref={element}
      className={`${styles.dialog} ${bare ? styles.bare : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && pressed.current === currentTarget) onClose();
      }}
    >
      <div className={styles.content}>
        <header className={bare ? 'visually-hidden' : styles.header}>
          <h2 id={id}>{title}</h2>
          {!bare && <IconButton label="Close" icon={X} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmActionProps {
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
export function ConfirmAction({
  title,
  action,
  kind = 'destructive',
  onConfirm,
  onClose,
  children,
}: ConfirmActionProps) {
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
