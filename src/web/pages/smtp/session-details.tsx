import { useLocation } from 'wouter';
import { addressOf, endOf } from '../../../client/smtp-session-texts.js';
import { useControl } from '../../api/calls.js';
import { isNotFound } from '../../api/failures.js';
import { useLiveLog } from '../../api/use-live-log.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Loaded } from '../../components/loaded.js';
import { Facts } from '../../components/page/facts.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Time } from '../../components/time.js';
import styles from './smtp.module.css';
import { Transactions } from './transactions.js';
import { Transcript } from './transcript.js';
import type { SmtpSessionDetails } from './use-sessions.js';

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
