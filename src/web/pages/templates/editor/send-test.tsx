import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { readStored, writeStored } from '../../../app/stored.js';
import { TextField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';
import type { Sample } from '../sample/use-sample.js';
import styles from './editor.module.css';
import type { DraftState } from './use-draft.js';
import type { Saving } from './use-saving.js';

interface Props {
  id: string;
  draft: DraftState;
  saving: Saving;
  sample: Sample;
  missing: readonly string[];
  onClose(): void;
}

const KEY = 'svc-template-test';
/** As in the paths of the server's errors. */
const PREFIX = 'variables.';
const FIRST = { to: 'test@example.test', from: 'svc <hello@svc.test>' };

/** Sends the template with the sample data, and opens the email. */
export function SendTest({ id, draft, saving, sample, missing, onClose }: Props) {
  const [, navigate] = useLocation();
  const sending = useServiceChange('emails.send', 'summary');
  const last = lastUsed();
  // A field stays while its value is typed.
  const [asked] = useState(sample.error ? [] : missing);
  // A field that was cleared has an empty value. One that was never typed in has none.
  const typed = useRef(new Map<string, string>());
  const send = async (fields: FormData) => {
    const [to, from] = [String(fields.get('to')), String(fields.get('from'))];
    if (sample.error) throw new Error(`The sample data is not valid JSON: ${sample.error.message}.`);
    const values = Object.fromEntries(typed.current);
    await saving.saveOrThrow();
    const variables = { ...sample.values, ...values };
    const email = await sending.mutateAsync({ body: { to, from, template_id: id, variables } });
    sample.add(values);
    writeStored(KEY, JSON.stringify({ to, from }));
    navigate(`/emails/${email.id}`);
  };
  const action = draft.isChanged ? 'Save and send' : 'Send';
  return (
    <FormDialog title="Send a test" action={action} onSubmit={send} onClose={onClose}>
      <TextField label="To" name="to" defaultValue={last.to} data-autofocus />
      <TextField label="From" name="from" defaultValue={last.from} />
      {draft.isChanged && <p>The email is made from the saved template, so your changes are saved first.</p>}
      {asked.length > 0 && (
        <fieldset className={styles.variables}>
          <legend>Variables without a sample value</legend>
          {asked.map((name) => (
            <TextField
              key={name}
              label={name}
              name={PREFIX + name}
              dir="auto"
              onChange={({ target }) => typed.current.set(name, target.value)}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

/** Returns the addresses of the last test in this browser. */
function lastUsed(): typeof FIRST {
  try {
    return { ...FIRST, ...(JSON.parse(readStored(KEY) ?? '{}') as Partial<typeof FIRST>) };
  } catch {
    return FIRST;
  }
}
