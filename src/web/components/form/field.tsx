import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import styles from './field.module.css';

/** What is wrong with each field, by its name. A form sets it. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

interface FieldProps {
  label: string;
  /** A sentence below the control. */
  hint?: ReactNode;
}

/** A text field with its label. */
export function TextField({ label, hint, ...props }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} name={props.name}>
      {(ids) => <input type="text" autoComplete="off" spellCheck={false} {...ids} {...props} />}
    </Field>
  );
}

/** A text field of several lines. */
export function TextAreaField({ label, hint, ...props }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} name={props.name}>
      {(ids) => <textarea rows={5} spellCheck={false} {...ids} {...props} />}
    </Field>
  );
}

/** A choice of one of several values. The options are its children. */
export function SelectField({ label, hint, ...props }: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} name={props.name}>
      {(ids) => <select {...ids} {...props} />}
    </Field>
  );
}

/** A choice of yes or no. */
export function CheckField({ label, hint, ...props }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.check}>
        <input type="checkbox" aria-describedby={hint ? id : undefined} {...props} />
        {label}
      </label>
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface Ids {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface AnyFieldProps extends FieldProps {
  /** The name under which the form has what is wrong with it. */
  name?: string | undefined;
  children(ids: Ids): ReactNode;
}

/** Adds a label, a hint and what is wrong to any control. */
export function Field({ label, hint, name, children }: AnyFieldProps) {
  const id = useId();
  const errors = useContext(FieldErrors);
  const error = name === undefined ? undefined : errors[name];
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} data-label-of={name}>
        {label}
      </label>
      {children({ id, 'aria-describedby': notes || undefined, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** What is wrong with a field. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className={styles.error}>
      {children}
    </p>
  );
}
