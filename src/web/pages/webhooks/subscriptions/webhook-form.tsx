import { useContext, useId, useState } from 'react';
import type { ControlOperations } from '../../../../client/operations.js';
import { type EventType, eventTypes } from '../../../../contract/vocabulary/event-types.js';
import { useServiceChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { CopyText } from '../../../components/copy-text.js';
import { Dialog } from '../../../components/dialog.js';
import { CheckField, FieldError, FieldErrors, SelectField, TextField } from '../../../components/form/field.js';
import { Form } from '../../../components/form/form.js';
import styles from './webhooks.module.css';

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

const BYTES = 24;

/** Returns a new signing secret, of the same form as those of `svc webhooks create`. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Chooses event types: all at first, or those that are chosen already. */
function EventsField({ chosen = eventTypes }: { chosen?: readonly EventType[] | undefined }) {
  const [events, setEvents] = useState(new Set(chosen));
  const toggle = (type: EventType) => {
    const next = new Set(events);
    if (!next.delete(type)) next.add(type);
    setEvents(next);
  };
  const id = useId();
  const error = useContext(FieldErrors).events;
  const isAll = events.size === eventTypes.length;
  return (
    <fieldset
      className={styles.events}
      aria-describedby={error && id}
      aria-invalid={error ? true : undefined}
      tabIndex={error ? -1 : undefined}
    >
      <legend data-label-of="events">Events</legend>
      <div className={styles.all}>
        <CheckField label="All events" checked={isAll} onChange={() => setEvents(new Set(isAll ? [] : eventTypes))} />
      </div>
      {eventTypes.map((type) => (
        <CheckField
          key={type}
          label={type}
          name="events"
          value={type}
          checked={events.has(type)}
          onChange={() => toggle(type)}
        />
      ))}
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}

export type Webhook = ControlOperations['webhooks.inspect']['result']['webhooks'][number];
export type DeliverySummary = ControlOperations['deliveries.list']['result']['deliveries'][number];
