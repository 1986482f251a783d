import { useInbox } from '../../../api/calls.js';
import { StatusBadge } from '../../../components/badge.js';
import styles from '../../../components/table.module.css';
import { Time } from '../../../components/time.js';
import type { EmailDetails, TabProps } from '../types.js';

/** Recipients with their statuses, the SMTP envelope, and what happened to the email. */
export function DeliveryTab({ email }: TabProps) {
  return (
    <div className={styles.page}>
      <RecipientTable email={email} />
      {email.envelope && <Envelope envelope={email.envelope} />}
      <Events email={email} />
    </div>
  );
}

function RecipientTable({ email }: { email: EmailDetails }) {
  return (
    <table className={`${styles.table} ${styles.wide}`}>
      <caption>Recipients</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Address</th>
          <th scope="col">Status</th>
          <th scope="col">Suppression</th>
        </tr>
      </thead>
      <tbody>
        {email.recipients.map(({ kind, address, status, suppression }) => (
          <tr key={address}>
            <td>{kind}</td>
            <td>
              <bdi>{address}</bdi>
            </td>
            <td>
              <StatusBadge status={status} />
            </td>
            <td className={styles.muted}>
              {suppression ? `Suppressed: ${suppression.reason.replace('_', ' ')}` : 'Not suppressed'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Envelope({ envelope }: { envelope: NonNullable<EmailDetails['envelope']> }) {
  return (
    <table className={styles.table}>
      <caption>SMTP envelope</caption>
      <tbody>
        <tr>
          <th scope="row">MAIL FROM</th>
          <td>
            <code>&lt;{envelope.mail_from}&gt;</code>
          </td>
        </tr>
        <tr>
          <th scope="row">RCPT TO</th>
          <td>
            {envelope.rcpt_to.map((address) => (
              <div key={address}>
                <code>&lt;{address}&gt;</code>
              </div>
            ))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Fields of events that the table shows elsewhere. */
const SHOWN_ELSEWHERE = new Set(['email_id', 'to', 'from', 'subject', 'tags', 'template_id']);

function Events({ email: { events } }: { email: EmailDetails }) {
  const { client } = useInbox();
  const now = client.now ? Date.parse(client.now) : 0;
  if (events.length === 0) return <p className={styles.muted}>Nothing has happened to this email yet.</p>;
  return (
    <table className={`${styles.table} ${styles.wide}`}>
      <caption>Events</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">Recipient</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, type, created_at, data }) => (
          <tr key={id}>
            <td className={styles.keep}>
              <Time at={created_at} now={now} />
            </td>
            <td>
              <StatusBadge status={type.replace('email.', '')} />
            </td>
            <td className={styles.address}>{String(data.to ?? '')}</td>
            <td className={styles.muted}>{detailsOf(data)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function detailsOf(data: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && !name.endsWith('_at') && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
