import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { UnreachableError } from '../../../client/failures.js';
import { useReconnected } from '../../api/reconnected.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import { ProblemText } from '../problem.js';
import { FieldErrors } from './field.js';
import { type FieldFailures, fieldFailuresOf } from './field-failures.js';
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

const NO_ERRORS = {};

/** Fields with a button that submits them. Shows why the server refused them. */
export function Form({ action, onSubmit, onCancel, tools, children }: FormProps) {
  const [failures, setFailures] = useState<FieldFailures & { isOutage: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  useReconnected(() => setFailures((shown) => (shown?.isOutage ? undefined : shown)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user corrects the first field next
  useEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failures]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    setBusy(true);
    setFailures(undefined);
    try {
      await onSubmit(fields);
    } catch (failure) {
      setFailures({ ...fieldFailuresOf(failure, labelsIn(form)), isOutage: failure instanceof UnreachableError });
    } finally {
      setBusy(false);
    }
  };
  return (
    // The server checks the fields, and reports what is wrong with each.
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <FieldErrors value={failures?.byField ?? NO_ERRORS}>{children}</FieldErrors>
      {failures && <ProblemText message={failures.message} hint={failures.hint} />}
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

/** Returns the labels of the fields by their names. */
function labelsIn(form: HTMLFormElement): Map<string, string> {
  const labels = form.querySelectorAll<HTMLElement>('[data-label-of]');
  return new Map(Array.from(labels, (label) => [label.dataset.labelOf ?? '', label.textContent]));
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
