import { Plus, Zap } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useControl } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { useReadOnFocus } from '../../api/reading-on-focus.js';
import { NotFound } from '../../app/not-found.js';
import { Button } from '../../components/button.js';
import { FailureView } from '../../components/failure-view.js';
import { Loading } from '../../components/loading.js';
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
  const { data, error, refetch } = useControl('webhooks.inspect', {});
  const [form, setForm] = useState<'create' | 'trigger'>();
  if (!data) return error ? <FailureView {...describeFailure(error)} onRetry={() => void refetch()} /> : <Loading />;
  const { webhooks } = data;
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
      <Webhooks webhooks={webhooks} />
      <Deliveries webhooks={webhooks} />
      {form === 'create' && <WebhookForm onClose={close} />}
      {form === 'trigger' && <TriggerForm webhooks={webhooks} onClose={close} />}
    </Page>
  );
}
