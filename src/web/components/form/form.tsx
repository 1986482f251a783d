import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../../../client/failures.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import { Problem } from '../problem.js';
import { FieldErrors } from './field.js';
import styles from './form.module.css';

interface FormProps {
  /** The verb of the button that submits. */
  action: string;
  /** Called with the fields by their `name`. What it throws is shown, and the fields keep their values. */
  onSubmit(fields: FormData): Promise<unknown>;
  /** Shows a button that closes the form without submitting it. */
  onCancel?: () => void;
  /** More buttons next to it. */
  tools?: ReactNode;
  children: ReactNode;
}

/** Fields with a button that submits them. Shows why the server refused them. */
export function Form({ action, onSubmit, onCancel, tools, children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user corrects the first field next
  useEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [error]);
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
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <FieldErrors value={errorsByField(error)}>{children}</FieldErrors>
      {error !== undefined && <Problem error={error} />}
      <div className={styles.buttons}>
        {tools}
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" aria-disabled={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Returns what the server refused, by the field's name: the error of `to.1` and that of `to` belong to the field `to`. */
function errorsByField(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  const details = error instanceof ApiFailure ? (error.details ?? []) : [];
  for (const { path, message } of details) {
    const [name = '', ...rest] = path.split('.');
    const text = [...rest, message].join(' ');
    errors[name] = errors[name] === undefined ? text : `${errors[name]}; ${text}`;
  }
  return errors;
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
