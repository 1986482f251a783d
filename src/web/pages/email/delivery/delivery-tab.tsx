import { Link } from 'wouter';
import { StatusBadge } from '../../../components/badge.js';
import styles from '../../../components/table.module.css';
import type { EmailDetails, TabProps } from '../types.js';

/** Recipients with their statuses, and the SMTP envelope. */
export function DeliveryTab({ email }: TabProps) {
  return (
    <div className={styles.page}>
      <RecipientTable email={email} />
      {email.envelope && <Envelope envelope={email.envelope} session={email.smtp_session} />}
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

function Envelope(props: { envelope: NonNullable<EmailDetails['envelope']>; session: string | null }) {
  const { envelope, session } = props;
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
        {session && (
          <tr>
            <th scope="row">Session</th>
            <td>
              <Link href={`/smtp/${session}`}>{session}</Link>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
