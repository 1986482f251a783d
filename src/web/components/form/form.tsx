import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiFailure, UnreachableError } from '../../../client/failures.js';
import { useReconnected } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';
import { plural } from '../format.js';
import { ProblemText } from '../states.js';
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

/** Assigns what the server refused to the fields of a form, which have names of the API and labels for people. */

interface FieldFailures {
  /** What is wrong with each field, by its name. */
  byField: Readonly<Record<string, string>>;
  /** A sentence about the whole form. */
  message: string;
  hint: string | undefined;
}

/** @param labels the labels of the fields that can show what is wrong, by name */
function fieldFailuresOf(error: unknown, labels: ReadonlyMap<string, string>): FieldFailures {
  const { message, hint } = describeFailure(error);
  const details = (error instanceof ApiFailure ? (error.details ?? []) : []).map(({ path, message }) => {
    const [first = '', ...rest] = path.split('.');
    return labels.has(path) ? { name: path, rest: [], message } : { name: first, rest, message };
  });
  const byField: Record<string, string> = {};
  for (const name of new Set(details.map((each) => each.name))) {
    const own = details.filter((each) => each.name === name);
    if (labels.has(name)) byField[name] = own.map((each) => textOf(each, own.length > 1)).join('; ');
  }
  // In the order of the form.
  const marked = [...labels].flatMap(([name, label]) => (byField[name] === undefined ? [] : [label]));
  if (marked.length === 0) return { byField, message, hint };
  const others = details.filter(({ name }) => !labels.has(name));
  const elsewhere = others.map(({ name, rest, message }) => `${[name, ...rest].join('.')} ${message}`).join('; ');
  const toCorrect = `Correct the ${marked.length === 1 ? 'field' : plural(marked.length, 'field')} ${marked.join(', ')}.`;
  return { byField, message: elsewhere === '' ? toCorrect : `${toCorrect} ${elsewhere}.`, hint };
}

/** The path `to.1` means the second entry of a list, and `variables.name` the value of a name. */
function textOf({ rest, message }: { rest: readonly string[]; message: string }, isOneOfMany: boolean): string {
  const [first = '', ...inner] = rest;
  if (!/^\d+$/.test(first)) return [...rest, message].join(' ');
  const text = [...inner, message].join(' ');
  const position = Number(first) + 1;
  return position > 1 || isOneOfMany ? `Entry ${position} ${text}` : text;
}
