import { useState } from 'react';
import { useServiceChange } from '../../api/calls.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { Dialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import styles from './new-key.module.css';

/** Creates an API key and shows it once. It is kept in memory only, until the dialog is closed. */
export function NewKey({ onClose }: { onClose(): void }) {
  const [key, setKey] = useState<string>();
  const { mutateAsync: create, reset } = useServiceChange('api-keys.create');
  const submit = async (fields: FormData) => {
    const limit = String(fields.get('rate_limit')).trim();
    const created = await create({
      body: {
        name: String(fields.get('name')).trim(),
        environment: fields.get('environment') === 'live' ? 'live' : 'test',
        ...(limit && { rate_limit: Number(limit) }),
      },
    });
    reset();
    setKey(created.key);
  };
  return (
    <Dialog title={key === undefined ? 'Create an API key' : 'Copy the API key now'} onClose={onClose}>
      {key === undefined ? (
        <Form action="Create" onSubmit={submit} onCancel={onClose}>
          <TextField label="Name" name="name" hint="What uses the key, such as an application." data-autofocus />
          <SelectField
            label="Environment"
            name="environment"
            hint="A live key can send only from verified domains, and a test key from any domain."
          >
            <option value="test">Test</option>
            <option value="live">Live</option>
          </SelectField>
          <TextField
            label="Requests per minute"
            name="rate_limit"
            inputMode="numeric"
            hint="Optional (default: that of the plan)."
          />
        </Form>
      ) : (
        <Created apiKey={key} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Created({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  return (
    <div className={styles.created}>
      <p>It is not shown again, because the server keeps only its hash.</p>
      <CopyText text={apiKey} label="Copy the API key" />
      <div className={styles.buttons}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
