import { Link } from 'wouter';
import { addressOf, endOf, messagesOf } from '../../../client/smtp-session-texts.js';
import { StatusBadge } from '../../components/badge.js';
import table from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import styles from './smtp.module.css';
import type { SmtpSession } from './use-sessions.js';

/** Sessions, newest first. `suffix` keeps the filter in the addresses. */
export function SessionTable({ sessions, suffix }: { sessions: readonly SmtpSession[]; suffix: string }) {
  return (
    <table className={`${table.table} ${table.wide}`}>
      <caption className="visually-hidden">SMTP sessions, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Client</th>
          <th scope="col">Accepted</th>
          <th scope="col">Result</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td className={table.keep}>
              <Time at={session.created_at} />
            </td>
            <td className={`${table.address} ${styles.client}`}>
              <Link href={`/smtp/${session.id}${suffix}`}>
                {addressOf(session)}
                {session.helo && (
                  <>
                    {' '}
                    (<bdi>{session.helo}</bdi>)
                  </>
                )}
              </Link>
              <Envelope session={session} />
            </td>
            <td className={table.keep}>{messagesOf(session)}</td>
            <td>
              {session.failed && <StatusBadge status="failed" />} <span className={styles.end}>{endOf(session)}</span>
              {session.error && (
                <div className={table.muted}>
                  <bdi>{session.error}</bdi>
                </div>
              )}
            </td>
            <td className={`${table.keep} ${styles.number}`}>{session.ms !== null && `${session.ms} ms`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The envelope of the last transaction. */
function Envelope({ session: { transactions } }: { session: SmtpSession }) {
  const last = transactions.at(-1);
  const to = last?.rcpt_to[0];
  if (!last) return null;
  return (
    <div className={table.muted}>
      <bdi>{last.mail_from || '<>'}</bdi>
      {to !== undefined && (
        <>
          {' to '}
          <bdi>{to}</bdi>
        </>
      )}
      {last.rcpt_count > 1 && ` and ${last.rcpt_count - 1} more`}
    </div>
  );
}
