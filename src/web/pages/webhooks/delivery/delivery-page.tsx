import { RotateCw } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useControl, useControlChange } from '../../../api/calls.js';
import { isNotFound } from '../../../api/failures.js';
import { Attempts, type Delivery } from '../../../components/attempts/attempt.js';
import { StatusBadge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { Facts, Page, Section } from '../../../components/page/page.js';
import { EmptyState, Loaded, Problem } from '../../../components/states.js';
import { Time } from '../../../components/time.js';
import { deliveriesPath, deliveryPath } from '../addresses.js';
import { Signature } from './signature.js';

/** One delivery: its event, attempts, and how to verify its signature. */
export function DeliveryPage({ id }: { id: string }) {
  const delivery = useControl('deliveries.get', { params: { id } });
  const isFound = delivery.data !== undefined && !isNotFound(delivery.error);
  return (
    <Page
      title={isFound ? `Delivery of ${delivery.data.type}` : 'Delivery'}
      back={{ href: deliveriesPath({}), label: 'All deliveries' }}
      actions={isFound && <Replay delivery={delivery.data} />}
    >
      <Loaded query={delivery} missing={<DeliveryNotFound />}>
        {(delivery) => (
          <>
            <Summary delivery={delivery} />
            <Section title="Attempts">
              <Attempts deliveryId={id} />
            </Section>
            <Signature delivery={delivery} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ delivery }: { delivery: Delivery }) {
  const email = emailOf(delivery.payload);
  const { state, type, event_id, url, webhook_id, created_at, replay_of } = delivery;
  const facts = {
    State: <StatusBadge status={state} />,
    Event: (
      <>
        {type} <code>{event_id}</code>
      </>
    ),
    URL: (
      <>
        <bdi>{url}</bdi> <Link href={deliveriesPath({ webhook: webhook_id })}>All deliveries of this webhook</Link>
      </>
    ),
    Created: <Time at={created_at} />,
    Email: email && <Link href={`/emails/${encodeURIComponent(email)}`}>{email}</Link>,
    'Replay of': replay_of && <Link href={deliveryPath(replay_of)}>{replay_of}</Link>,
  };
  return <Facts facts={facts} />;
}

/** Returns the ID of the email that an event is about. */
function emailOf(payload: string): string | undefined {
  const { data } = JSON.parse(payload) as { data?: { email_id?: unknown } };
  return typeof data?.email_id === 'string' ? data.email_id : undefined;
}

/** Sends the same bytes again, and opens the new delivery. */
function Replay({ delivery }: { delivery: Delivery }) {
  const [, navigate] = useLocation();
  const replay = useControlChange('deliveries.replay');
  const run = async () => {
    if (replay.isPending) return;
    const { attempts } = await replay.mutateAsync({ body: { delivery_id: delivery.id } });
    const id = attempts[0]?.delivery_id;
    navigate(id === undefined ? deliveriesPath({}) : deliveryPath(id));
  };
  return (
    <>
      <Button
        kind="primary"
        icon={RotateCw}
        aria-disabled={replay.isPending}
        onClick={() => void run().catch(() => {})}
      >
        {replay.isPending ? 'Replaying…' : 'Replay'}
      </Button>
      {replay.error && <Problem error={replay.error} />}
    </>
  );
}

function DeliveryNotFound() {
  return (
    <EmptyState title="Delivery not found">
      <p>It was deleted with its data, or never existed on this server.</p>
    </EmptyState>
  );
}
