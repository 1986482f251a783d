import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useControl } from '../../api/calls.js';
import { useLiveLog } from '../../api/use-live-log.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Time } from '../../components/time.js';
import styles from './smtp.module.css';
import { Transactions } from './transactions.js';
import { Transcript } from './transcript.js';
import { endOf, type SmtpSessionDetails } from './use-sessions.js';

/** One session with its transcript. `suffix` keeps the filter of the list. */
export function SessionDetails({ id, suffix }: { id: string; suffix: string }) {
  const [, navigate] = useLocation();
  const query = useControl('smtp-sessions.get', { params: { id } });
  useLiveLog('smtp-sessions.stream');
  const close = () => navigate(`/smtp${suffix}`);
  const missing = (
    <EmptyState title="Session not found">
      <p>The server keeps the newest 1,000 sessions, and 1,000 failed ones in addition.</p>
      <Button onClick={close}>Show all sessions</Button>
    </EmptyState>
  );
  return (
    <Loaded query={query} missing={missing}>
      {(session) => (
        <Page
          title={`SMTP session of ${session.helo ?? session.client.address}`}
          actions={
            <Button icon={ArrowLeft} onClick={close}>
              All sessions
            </Button>
          }
        >
          <Facts session={session} />
          {session.transactions.length > 0 && <Transactions session={session} />}
          <Section title="Transcript">
            <Transcript lines={session.transcript} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

function Facts({ session }: { session: SmtpSessionDetails }) {
  const { id, client, helo, tls, auth, created_at, ms, error } = session;
  const facts: Record<string, ReactNode> = {
    Result: (
      <>
        {session.failed && <StatusBadge status="failed" />} {endOf(session)}
      </>
    ),
    Error: error && <bdi>{error}</bdi>,
    Client: `${client.address}, port ${client.port}`,
    Name: helo && <bdi>{helo}</bdi>,
    TLS: tls ? `${tls.version}, ${tls.cipher}` : 'None',
    'Log-in': auth && (
      <>
        {auth.mechanism} <bdi>{auth.username}</bdi> {auth.accepted ? 'accepted' : 'refused'}
      </>
    ),
    Time: <Time at={created_at} />,
    Duration: ms !== null && `${ms} ms`,
    'Session ID': <code>{id}</code>,
  };
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
