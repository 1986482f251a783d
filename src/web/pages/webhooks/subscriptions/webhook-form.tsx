import { useState } from 'react';
import type { EventType } from '../../../../contract/vocabulary/event-types.js';
import { useServiceChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { CopyText } from '../../../components/copy-text.js';
import { Dialog } from '../../../components/dialog.js';
import { SelectField, TextField } from '../../../components/form/field.js';
import { Form } from '../../../components/form/form.js';
import type { Webhook } from '../types.js';
import { EventsField } from './events-field.js';
import { newSecret } from './new-secret.js';

interface Props {
  /** The webhook to edit; without it, a new one is added. */
  webhook?: Webhook;
  onClose(): void;
}

type Signing = 'keep' | 'generate' | 'own' | 'none';

/** Adds or edits a webhook. Shows a generated secret once. */
export function WebhookForm({ webhook, onClose }: Props) {
  const creating = useServiceChange('webhooks.create');
  const updating = useServiceChange('webhooks.update', 'deliveries');
  const [signing, setSigning] = useState<Signing>(webhook ? 'keep' : 'generate');
  const [generated, setGenerated] = useState<string>();
  const submit = async (fields: FormData) => {
    const url = String(fields.get('url')).trim();
    const events = fields.getAll('events') as EventType[];
    const secret = secretOf(signing, fields);
    const body = { url, events, ...(secret !== undefined && { secret }) };
    if (webhook) await updating.mutateAsync({ params: { id: webhook.id }, body });
    else await creating.mutateAsync({ body });
    if (signing === 'generate') setGenerated(secret);
    else onClose();
  };
  if (generated !== undefined) return <SecretDialog secret={generated} onClose={onClose} />;
  return (
    <Dialog title={webhook ? 'Edit the webhook' : 'Add a webhook'} onClose={onClose}>
      <Form action={webhook ? 'Save' : 'Add'} onSubmit={submit} onCancel={onClose}>
        <TextField
          label="URL"
          name="url"
          defaultValue={webhook?.url}
          placeholder="http://localhost:3000/hooks"
          hint="https, or http on this machine."
          data-autofocus
        />
        <EventsField chosen={webhook?.events} />
        <SelectField
          label="Signature"
          value={signing}
          onChange={(event) => setSigning(event.target.value as Signing)}
          hint="The secret with which your application verifies requests."
        >
          {webhook && <option value="keep">{webhook.signed ? 'Keep the secret' : 'No signature'}</option>}
          <option value="generate">Generate a secret</option>
          <option value="own">Use my own secret</option>
          {!webhook && <option value="none">No signature</option>}
        </SelectField>
        {signing === 'own' && <TextField label="Secret" name="secret" />}
      </Form>
    </Dialog>
  );
}

function secretOf(signing: Signing, fields: FormData): string | undefined {
  if (signing === 'own') return String(fields.get('secret'));
  return signing === 'generate' ? newSecret() : undefined;
}

function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title="Copy the secret" onClose={onClose}>
      <p>
        To verify requests, set <code>SVC_WEBHOOK_SECRET</code> in your application. The secret is not shown again.
      </p>
      <CopyText text={secret} label="Copy the secret" />
      <p>
        <Button kind="primary" data-autofocus onClick={onClose}>
          Done
        </Button>
      </p>
    </Dialog>
  );
}
