import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  /** A sentence below the control. */
  hint?: ReactNode;
}

/** A text field with its label. */
export function TextField({ label, hint, ...props }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <input type="text" autoComplete="off" spellCheck={false} {...ids} {...props} />}
    </Field>
  );
}

/** A text field of several lines. */
export function TextAreaField({ label, hint, ...props }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <textarea rows={5} spellCheck={false} {...ids} {...props} />}
    </Field>
  );
}

/** A choice of one of several values. The options are its children. */
export function SelectField({ label, hint, ...props }: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint}>
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
}

/** Adds a label and a hint to any control. */
export function Field({ label, hint, children }: FieldProps & { children(ids: Ids): ReactNode }) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': hint ? hintId : undefined })}
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
