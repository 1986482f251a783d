import { Plus, Zap } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useControl } from '../../api/calls.js';
import { useReadOnFocus } from '../../api/reading-on-focus.js';
import { NotFound } from '../../app/not-found.js';
import { Button } from '../../components/button.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { Deliveries } from './deliveries/deliveries.js';
import { DeliveryPage } from './delivery/delivery-page.js';
import { WebhookForm } from './subscriptions/webhook-form.js';
import { Webhooks } from './subscriptions/webhooks.js';
import { TriggerForm } from './trigger-form.js';

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
