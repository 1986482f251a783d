import { Link } from 'wouter';
import { StatusBadge } from '../../../components/badge.js';
import { Table } from '../../../components/table.js';
import styles from '../../../components/table.module.css';
import type { EmailDetails, TabProps } from '../types.js';

/** Recipients with their statuses, and the SMTP envelope. */
export function DeliveryTab({ email }: TabProps) {
  return (
    <div className={styles.page}>
      <RecipientTable email={email} />
      {email.envelope && <Envelope envelope={email.envelope} session={email.smtp_session} keyId={email.smtp_key_id} />}
    </div>
  );
}

function RecipientTable({ email }: { email: EmailDetails }) {
  return (
    <Table caption="Recipients" wide columns={['Field', 'Address', 'Status', 'Suppression']}>
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
    </Table>
  );
}

function Envelope(props: EnvelopeProps) {
  const { envelope, session, keyId } = props;
  const { dsn } = envelope;
  const notify = (address: string) => dsn?.recipients.find((each) => each.address === address);
  return (
    <table className={styles.table}>
      <caption>SMTP envelope</caption>
      <tbody>
        <tr>
          <th scope="row">MAIL FROM</th>
          <td>
            <code>&lt;{envelope.mail_from}&gt;</code>
            <Parameters values={{ RET: dsn?.ret, ENVID: dsn?.envid }} />
          </td>
        </tr>
        <tr>
          <th scope="row">RCPT TO</th>
          <td>
            {envelope.rcpt_to.map((address) => (
              <div key={address}>
                <code>&lt;{address}&gt;</code>
                <Parameters values={{ NOTIFY: notify(address)?.notify?.join(','), ORCPT: notify(address)?.orcpt }} />
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
        {keyId && (
          <tr>
            <th scope="row">API key</th>
            <td>
              <code>{keyId}</code>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface EnvelopeProps {
  envelope: NonNullable<EmailDetails['envelope']>;
  session: string | null;
  keyId: string | null;
}

/** Shows the parameters of a command that have a value. */
function Parameters({ values }: { values: Record<string, string | null | undefined> }) {
  return Object.entries(values).map(([name, value]) => value && <code key={name}> {`${name}=${value}`}</code>);
}
