import { Plus, Zap } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { type EventType, eventTypes } from '../../../contract/vocabulary/event-types.js';
import { parsedJson } from '../../../contract/vocabulary/json.js';
import { useControl, useControlChange, useReadOnFocus } from '../../api/calls.js';
import { Button } from '../../components/button.js';
import { SelectField, TextAreaField, TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { Page } from '../../components/page/page.js';
import { Loaded, NotFound } from '../../components/states.js';
import { Deliveries } from './deliveries/deliveries.js';
import { DeliveryPage } from './delivery/delivery-page.js';
import { type Webhook, WebhookForm } from './subscriptions/webhook-form.js';
import { Webhooks } from './subscriptions/webhooks.js';

/** Webhooks and their deliveries, or one delivery. */
export function WebhooksPage() {
  const { section, id } = useParams<{ section?: string; id?: string }>();
  useReadOnFocus('webhooks');
  if (section === undefined) return <Overview />;
  return section === 'deliveries' && id !== undefined ? <DeliveryPage key={id} id={id} /> : <NotFound />;
}

function Overview() {
  const subscriptions = useControl('webhooks.inspect', {});
  const [form, setForm] = useState<'create' | 'trigger'>();
  const close = () => setForm(undefined);
  return (
    <Page
      title="Webhooks"
      about="Requests to your application about emails, templates, domains and API keys."
      actions={
        <>
          <Button icon={Zap} onClick={() => setForm('trigger')}>
            Trigger an event
          </Button>
          <Button kind="primary" icon={Plus} onClick={() => setForm('create')}>
            Add a webhook
          </Button>
        </>
      }
    >
      <Loaded query={subscriptions}>
        {({ webhooks }) => (
          <>
            <Webhooks webhooks={webhooks} />
            <Deliveries webhooks={webhooks} />
            {form === 'trigger' && <TriggerForm webhooks={webhooks} onClose={close} />}
          </>
        )}
      </Loaded>
      {form === 'create' && <WebhookForm onClose={close} />}
    </Page>
  );
}

/** Records an event with sample data, which is sent to all webhooks that subscribe to its type. */
export function TriggerForm({ webhooks, onClose }: { webhooks: readonly Webhook[]; onClose(): void }) {
  const trigger = useControlChange('events.trigger', 'deliveries');
  const [type, setType] = useState<EventType>('email.delivered');
  const receivers = webhooks.filter(({ active, events }) => active && events.includes(type)).length;
  const submit = async (fields: FormData) => {
    const email = String(fields.get('email_id') ?? '').trim();
    const data = readData(String(fields.get('data')));
    await trigger.mutateAsync({ body: { type, ...(email && { email_id: email }), ...(data && { data }) } });
  };
  return (
    <FormDialog title="Trigger an event" action="Trigger" onSubmit={submit} onClose={onClose}>
      <p>Records an event with sample data, and sends it to the webhooks. Nothing else changes.</p>
      <SelectField
        label="Event"
        value={type}
        onChange={(event) => setType(event.target.value as EventType)}
        hint={receivers === 0 ? 'No active webhook subscribes to this event.' : `Sent to ${receivers} of the webhooks.`}
        data-autofocus
      >
        {eventTypes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      {type.startsWith('email.') && (
        <TextField
          label="Email ID"
          name="email_id"
          placeholder="msg_…"
          hint="Optional: the email to take fields from."
        />
      )}
      <TextAreaField
        label="Data"
        name="data"
        rows={3}
        placeholder={'{"to": "ada@example.test"}'}
        hint="Optional: fields as JSON. The others are filled with sample data."
      />
    </FormDialog>
  );
}

/** @throws Error if the text is not a JSON object */
function readData(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined;
  const data = parsedJson(text);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  throw new Error('The data must be a JSON object, such as {"to": "ada@example.test"}.');
}
