import { Link, useLocation } from 'wouter';
import type { ControlOperations } from '../../../client/operations.js';
import { addressOf, endOf } from '../../../client/smtp-session-texts.js';
import { useControl, useLiveLog } from '../../api/calls.js';
import { isNotFound } from '../../api/failures.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Facts, Page, Section } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import table from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import styles from './smtp.module.css';

/** One session with its transcript. `suffix` keeps the filter of the list. */
export function SessionDetails({ id, suffix }: { id: string; suffix: string }) {
  const query = useControl('smtp-sessions.get', { params: { id } });
  useLiveLog('smtp-sessions.stream');
  const session = isNotFound(query.error) ? undefined : query.data;
  return (
    <Page
      title={session ? `SMTP session of ${session.helo ?? addressOf(session)}` : 'SMTP session'}
      back={{ href: `/smtp${suffix}`, label: 'All sessions' }}
    >
      <Loaded query={query} missing={<SessionNotFound suffix={suffix} />}>
        {(session) => (
          <>
            <Summary session={session} />
            {session.transactions.length > 0 && <Transactions session={session} />}
            <Section title="Transcript">
              <Transcript lines={session.transcript} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function SessionNotFound({ suffix }: { suffix: string }) {
  const [, navigate] = useLocation();
  return (
    <EmptyState title="Session not found">
      <p>The server keeps the newest 1,000 sessions, and 1,000 failed ones in addition.</p>
      <Button onClick={() => navigate(`/smtp${suffix}`)}>Show all sessions</Button>
    </EmptyState>
  );
}

function Summary({ session }: { session: SmtpSessionDetails }) {
  const { id, client, helo, tls, auth, created_at, ms, error } = session;
  const facts = {
    Result: (
      <>
        {session.failed && <StatusBadge status="failed" />} <span className={styles.end}>{endOf(session)}</span>
      </>
    ),
    Error: error && <bdi>{error}</bdi>,
    Client: client.address === '' ? addressOf(session) : `${client.address}, port ${client.port}`,
    Name: helo && <bdi>{helo}</bdi>,
    TLS: tls ? `${tls.version}, ${tls.cipher}` : 'None',
    Login: auth && (
      <>
        {auth.mechanism} <bdi>{auth.username}</bdi> {auth.accepted ? 'accepted' : 'refused'}
      </>
    ),
    Time: <Time at={created_at} />,
    Duration: ms !== null && `${ms} ms`,
    'Session ID': <code>{id}</code>,
  };
  return <Facts facts={facts} />;
}

type Line = SmtpSessionDetails['transcript'][number];

const SENDERS: Record<Line['from'], { mark: string; name: string }> = {
  client: { mark: 'C:', name: 'Client' },
  server: { mark: 'S:', name: 'Server' },
  note: { mark: '–', name: 'Note' },
};

/** Commands and replies in order, with milliseconds since the client connected. */
function Transcript({ lines }: { lines: readonly Line[] }) {
  return (
    <table className={styles.transcript}>
      <caption className="visually-hidden">Commands and replies</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Sender</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name, and never move
          <tr key={at} className={classOf(line)}>
            <td className={styles.offset}>{line.ms} ms</td>
            <td>
              <abbr title={SENDERS[line.from].name}>{SENDERS[line.from].mark}</abbr>
            </td>
            <td>
              <bdi>{line.text}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ from, text }: Line): string | undefined {
  if (from === 'note') return styles.aside;
  return from === 'server' && /^[45]\d\d/.test(text) ? styles.refusal : undefined;
}

/** The transactions of a session, and what was received of messages that were not accepted. */
function Transactions({ session }: { session: SmtpSessionDetails }) {
  const { transactions, omitted_transactions } = session;
  return (
    <Section title="Transactions">
      <Table label="Transactions in order" wide columns={['State', 'From', 'To', 'Size', 'Result']}>
        {transactions.map((transaction, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: transactions have no name, and only the last one changes
          <Row key={at} transaction={transaction} />
        ))}
      </Table>
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

export type SmtpSession = ControlOperations['smtp-sessions.list']['result']['sessions'][number];
type SmtpSessionDetails = ControlOperations['smtp-sessions.get']['result'];
type SmtpTransaction = SmtpSession['transactions'][number];

/** Reads the newest sessions. */
export function useSessions(failed: boolean, limit: number) {
  const query = { ...(failed && { failed: 'true' as const }), limit: String(limit) };
  return useControl('smtp-sessions.list', { query }, { keepPrevious: true });
}
