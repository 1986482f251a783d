import { Link } from 'wouter';
import { StatusBadge } from '../../components/badge.js';
import { Section } from '../../components/page/section.js';
import table from '../../components/table.module.css';
import styles from './smtp.module.css';
import type { SmtpSessionDetails, SmtpTransaction } from './use-sessions.js';

/** The transactions of a session, and what was received of messages that were not accepted. */
export function Transactions({ session }: { session: SmtpSessionDetails }) {
  const { transactions, omitted_transactions } = session;
  return (
    <Section title="Transactions">
      <table className={`${table.table} ${table.wide}`}>
        <caption className="visually-hidden">Transactions in order</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Size</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: transactions have no name, and only the last one changes
            <Row key={at} transaction={transaction} />
          ))}
        </tbody>
      </table>
      {omitted_transactions > 0 && (
        <p className={styles.note}>
          {omitted_transactions} transactions between the first and the last 25 are left out.
        </p>
      )}
      {transactions.map(
        ({ received, bytes }, at) =>
          received !== null && (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <details key={at} className={styles.received}>
              <summary>
                Received content of transaction {at + 1}, {bytes} bytes
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: content that scrolls must be reachable by keyboard */}
              <pre tabIndex={0}>{received}</pre>
            </details>
          ),
      )}
    </Section>
  );
}

function Row({ transaction }: { transaction: SmtpTransaction }) {
  const { state, mail_from, rcpt_to, rcpt_count, bytes, email_id, reply } = transaction;
  return (
    <tr>
      <td className={table.keep}>
        <StatusBadge status={state} />
      </td>
      <td>
        <bdi>{mail_from || '<>'}</bdi>
      </td>
      <td>
        {rcpt_to.map((address) => (
          <div key={address}>
            <bdi>{address}</bdi>
          </div>
        ))}
        {rcpt_count > rcpt_to.length && <div className={table.muted}>and {rcpt_count - rcpt_to.length} more</div>}
      </td>
      <td className={table.keep}>{bytes} bytes</td>
      <td>
        {email_id && <Link href={`/emails/${email_id}`}>{email_id}</Link>}
        {reply && <bdi>{reply}</bdi>}
      </td>
    </tr>
  );
}
