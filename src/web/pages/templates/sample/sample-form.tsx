import { useState } from 'react';
import { TextAreaField, TextField } from '../../../components/form/field.js';
import styles from './sample-form.module.css';
import type { Sample } from './use-sample.js';

interface Props {
  /** The variables of the template, in their order. */
  variables: readonly string[];
  sample: Sample;
}

/** A field for each variable of the template. */
export function SampleForm({ variables, sample }: Props) {
  if (sample.error) return <p className={styles.note}>The sample data is not valid JSON. Open the JSON to fix it.</p>;
  const unused = Object.keys(sample.values).filter((name) => !variables.includes(name));
  return (
    <div className={styles.form}>
      {variables.length === 0 && (
        <p className={styles.note}>
          This template has no variables. A placeholder such as <code>{'{{name}}'}</code> adds one.
        </p>
      )}
      {variables.map((name) => (
        <ValueField key={name} name={name} sample={sample} />
      ))}
      {unused.length > 0 && <p className={styles.note}>Not used by the template: {unused.join(', ')}.</p>}
    </div>
  );
}

function ValueField({ name, sample: { values, set } }: { name: string; sample: Sample }) {
  const isMissing = !Object.hasOwn(values, name);
  const value = isMissing ? '' : textOf(values[name]);
  // An exchange of the field would take the focus.
  const [isLong] = useState(value.includes('\n'));
  const props = {
    label: name,
    value,
    dir: 'auto',
    hint: isMissing ? 'No value yet. The server refuses emails without it.' : undefined,
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value === '' ? undefined : target.value),
  };
  return isLong ? <TextAreaField {...props} /> : <TextField {...props} />;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
