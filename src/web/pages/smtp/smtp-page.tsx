import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { addressOf, endOf, messagesOf } from '../../../client/smtp-session-texts.js';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useInbox, useLiveLog } from '../../api/calls.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { CheckField } from '../../components/form/field.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import table from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { SessionDetails, type SmtpSession, useSessions } from './session-details.js';
import styles from './smtp.module.css';

const FIRST = 100;

/** The sessions of SMTP clients, or one of them. */
export function SmtpPage() {
  const { id } = useParams<{ id?: string }>();
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const failed = parameters.get('failed') === 'true';
  if (id !== undefined) return <SessionDetails key={id} id={id} suffix={suffixOf(failed)} />;
  return (
    <Page title="SMTP" about="Sessions of SMTP clients with this server, newest first.">
      <search>
        <CheckField
          label="Failed sessions only"
          checked={failed}
          onChange={({ target }) => navigate(`/smtp${suffixOf(target.checked)}`, { replace: true })}
        />
      </search>
      <Results key={String(failed)} failed={failed} />
    </Page>
  );
}

/** Returns the part of an address that keeps the filter. */
function suffixOf(failed: boolean): string {
  return failed ? '?failed=true' : '';
}

function Results({ failed }: { failed: boolean }) {
  const [limit, setLimit] = useState(FIRST);
  const query = useSessions(failed, limit);
  useLiveLog('smtp-sessions.stream');
  return (
    <Loaded query={query}>
      {({ sessions }) => (
        <>
          {sessions.length > 0 && <SessionTable sessions={sessions} suffix={suffixOf(failed)} />}
          {sessions.length === 0 && (failed ? <NoFailedSessions /> : <NoSessions />)}
          {sessions.length === limit && limit < LOGGED_REQUESTS_MAX && (
            <div>
              <Button onClick={() => setLimit(LOGGED_REQUESTS_MAX)}>Show older sessions</Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function NoFailedSessions() {
  const [, navigate] = useLocation();
  return (
    <EmptyState title="No failed sessions">
      <p>A session fails if a command is refused or a message broken off.</p>
      <Button onClick={() => navigate('/smtp')}>Show all sessions</Button>
    </EmptyState>
  );
}

function NoSessions() {
  const { host, port } = useInbox().info.smtp ?? { host: '127.0.0.1', port: 1025 };
  return (
    <EmptyState title="No sessions yet">
      <p>Send an email over SMTP, for example with curl:</p>
      <CopyText
        text={`printf 'Subject: Hello\\r\\n\\r\\nHi\\r\\n' | curl smtp://${host}:${port} --mail-from app@example.com --mail-rcpt ada@example.com -T -`}
        label="Copy the command"
      />
    </EmptyState>
  );
}

/** Sessions, newest first. `suffix` keeps the filter in the addresses. */
export function SessionTable({ sessions, suffix }: { sessions: readonly SmtpSession[]; suffix: string }) {
  return (
    <Table label="SMTP sessions, newest first" wide columns={['Time', 'Client', 'Accepted', 'Result', 'Duration']}>
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
    </Table>
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
