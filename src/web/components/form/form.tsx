import { type FormEvent, type ReactNode, useState } from 'react';
import { describeFailure } from '../../api/failures.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import styles from './form.module.css';

interface FormProps {
  /** The verb of the button that submits. */
  action: string;
  /** Called with the fields by their `name`. What it throws is shown, and the fields keep their values. */
  onSubmit(fields: FormData): Promise<unknown>;
  /** Shows a button that closes the form without submitting it. */
  onCancel?: () => void;
  children: ReactNode;
}

/** Fields with a button that submits them. Shows why the server refused them. */
export function Form({ action, onSubmit, onCancel, children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit(fields);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    // The server checks the fields, and reports what is wrong with each.
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      {error !== undefined && <Problem error={error} />}
      <div className={styles.buttons}>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" aria-disabled={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Says in one paragraph why an action failed. */
export function Problem({ error }: { error: unknown }) {
  const { message, hint } = describeFailure(error);
  return (
    <p role="alert" className={styles.problem}>
      {hint ? `${message} ${hint}` : message}
    </p>
  );
}

interface FormDialogProps extends FormProps {
  title: string;
  onClose(): void;
}

/** A form in a dialog, which closes after the fields were submitted. */
export function FormDialog({ title, onClose, onSubmit, ...form }: Omit<FormDialogProps, 'onCancel'>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        {...form}
        onCancel={onClose}
        onSubmit={async (fields) => {
          await onSubmit(fields);
          onClose();
        }}
      />
    </Dialog>
  );
}
