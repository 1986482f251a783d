import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { eventTypes } from '../../../../contract/vocabulary/event-types.js';
import { useControl, useServiceChange } from '../../../api/calls.js';
import { StatusBadge } from '../../../components/badge.js';
import { IconButton } from '../../../components/button.js';
import { CopyCommand } from '../../../components/copy-text.js';
import { ConfirmAction } from '../../../components/dialog.js';
import { formatCount } from '../../../components/format.js';
import { Menu } from '../../../components/menu/menu.js';
import { Section } from '../../../components/page/page.js';
import { EmptyState, Problem } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import table from '../../../components/table.module.css';
import { deliveriesPath, FAILED } from '../addresses.js';
import { type Webhook, WebhookForm } from './webhook-form.js';
import styles from './webhooks.module.css';

/** The list of webhooks. */
export function Webhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [opened, setOpened] = useState<{ form: 'edit' | 'delete'; webhook: Webhook }>();
  const updating = useServiceChange('webhooks.update', 'deliveries');
  const deleting = useServiceChange('webhooks.delete', 'deliveries');
  const close = () => setOpened(undefined);
  if (webhooks.length === 0) return <NoWebhooks />;
  const toggle = ({ id, active }: Webhook) => updating.mutate({ params: { id }, body: { active: !active } });
  return (
    <Section title="Subscriptions">
      {updating.error && <Problem error={updating.error} />}
      <Table label="Subscriptions" wide columns={['URL', 'Events', 'State', 'Deliveries', { hidden: 'Actions' }]}>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <td className={styles.url}>
              <bdi>{webhook.url}</bdi>
              {!webhook.signed && <div className={table.muted}>Unsigned: it has no secret</div>}
            </td>
            <td className={styles.types}>{eventsText(webhook.events)}</td>
            <td>
              <StatusBadge status={webhook.active ? 'active' : 'paused'} />
            </td>
            <td>
              <Counts webhook={webhook} />
            </td>
            <td className={styles.actions}>
              <Menu trigger={<IconButton label={`Actions for ${webhook.url}`} icon={Ellipsis} />}>
                {({ MenuItem }) => (
                  <>
                    <MenuItem onSelect={() => setOpened({ form: 'edit', webhook })}>Edit</MenuItem>
                    <MenuItem onSelect={() => toggle(webhook)}>{webhook.active ? 'Pause' : 'Resume'}</MenuItem>
                    <MenuItem onSelect={() => setOpened({ form: 'delete', webhook })}>Delete</MenuItem>
                  </>
                )}
              </Menu>
            </td>
          </tr>
        ))}
      </Table>
      {opened?.form === 'edit' && <WebhookForm webhook={opened.webhook} onClose={close} />}
      {opened?.form === 'delete' && (
        <ConfirmAction
          title="Delete the webhook?"
          action="Delete"
          onConfirm={() => deleting.mutateAsync({ params: { id: opened.webhook.id } })}
          onClose={close}
        >
          <p className={styles.url}>
            <bdi>{opened.webhook.url}</bdi> receives no more events. Its deliveries are kept.
          </p>
        </ConfirmAction>
      )}
    </Section>
  );
}

function eventsText(events: readonly string[]): string {
  if (events.length === eventTypes.length) return 'All events';
  return events.join(', ');
}

/** The numbers of deliveries that failed or wait, as links to them. */
function Counts({ webhook: { id, url } }: { webhook: Webhook }) {
  const ofWebhook = { webhook: id, limit: 1 };
  const pending = useControl('deliveries.list', { query: { ...ofWebhook, state: 'pending' } });
  const failed = useControl('deliveries.list', { query: { ...ofWebhook, ...FAILED } });
  const link = (state: 'pending' | 'failed', total: number | undefined) =>
    total === undefined ? null : total === 0 ? (
      <span className={table.muted}>0 {state}</span>
    ) : (
      <Link href={deliveriesPath({ webhook: id, state })} aria-label={`${total} ${state}, to ${url}`}>
        {formatCount(total)} {state}
      </Link>
    );
  return (
    <span className={styles.counts}>
      {link('pending', pending.data?.pagination.total)}
      {link('failed', failed.data?.pagination.total)}
    </span>
  );
}

function NoWebhooks() {
  return (
    <EmptyState title="No webhooks yet">
      <p>
        A webhook posts events to a URL of your application, and signs each request. Add one here or with a command:
      </p>
      <CopyCommand text="svc webhooks create --url http://localhost:3000/hooks --events all" />
    </EmptyState>
  );
}
