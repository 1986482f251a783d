import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useControl } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { CopyCommand } from '../../../components/copy-text.js';
import { SelectField } from '../../../components/form/field.js';
import { formatCount } from '../../../components/format.js';
import { Problem } from '../../../components/states.js';
import styles from '../tabs/timeline-tab.module.css';
import type { TabProps } from '../types.js';
import { type Entry, entriesOf } from './timeline-entries.js';
import { TimelineEntry } from './timeline-entry.js';

/** Number of entries that are shown at first. */
const SHOWN = 200;
/** Number of deliveries that are read: the most that the server returns at once. */
const DELIVERIES = 100;

/** What happened to the email, with the webhook deliveries of each event. */
export function TimelineTab({ email }: TabProps) {
  const [isWhole, setWhole] = useState(false);
  const { recipient, setRecipient, openDelivery, setOpenDelivery } = useTimelineAddress();
  const deliveries = useControl('deliveries.list', { query: { email: email.id, limit: DELIVERIES } });
  const entries = entriesOf(email, recipient);
  const shown = isWhole ? entries : entries.slice(0, SHOWN);
  const deliveriesOf = ({ key }: Entry) => deliveries.data?.deliveries.filter(({ event_id }) => event_id === key) ?? [];
  return (
    <div className={styles.page}>
      {email.recipients.length > 1 && (
        <SelectField
          label="Recipient"
          value={recipient ?? ''}
          onChange={(event) => setRecipient(event.target.value || null)}
        >
          <option value="">All {email.recipients.length}</option>
          {email.recipients.map(({ mailbox }) => (
            <option key={mailbox}>{mailbox}</option>
          ))}
        </SelectField>
      )}
      <ol className={styles.timeline} aria-label="Timeline">
        {shown.map((entry) => (
          <TimelineEntry
            key={entry.key}
            entry={entry}
            deliveries={deliveriesOf(entry)}
            openDelivery={openDelivery}
            onOpen={setOpenDelivery}
          />
        ))}
      </ol>
      {shown.length < entries.length && (
        <Button onClick={() => setWhole(true)}>Show all {formatCount(entries.length)} entries</Button>
      )}
      {deliveries.error && <Problem error={deliveries.error} />}
      <DeliveryNote total={deliveries.data?.pagination.total} hasEvents={email.events.length > 0} />
    </div>
  );
}

function DeliveryNote({ total, hasEvents }: { total: number | undefined; hasEvents: boolean }) {
  if (total === undefined || !hasEvents) return null;
  if (total > DELIVERIES) {
    return (
      <p className={styles.note}>
        The newest {DELIVERIES} of {formatCount(total)} webhook deliveries are shown.
      </p>
    );
  }
  if (total > 0) return null;
  return (
    <div className={styles.note}>
      <p>No webhook received these events. To receive the next ones:</p>
      <CopyCommand text="svc webhooks listen --forward-to http://localhost:3000/webhooks" />
    </div>
  );
}

/** The parameter with the open delivery, and the one with the recipient that is shown. */
export function useTimelineAddress() {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string | null) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return {
    openDelivery: parameters.get('delivery'),
    setOpenDelivery: (id: string | null) => set('delivery', id),
    recipient: parameters.get('recipient'),
    setRecipient: (mailbox: string | null) => set('recipient', mailbox),
  };
}
