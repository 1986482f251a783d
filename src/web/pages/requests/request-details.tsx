import { ArrowLeft } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useInbox } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureView } from '../../components/failure-view.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Time } from '../../components/time.js';
import styles from './requests.module.css';
import { StatusCode } from './status-code.js';
import { type LoggedRequest, useRequests } from './use-requests.js';

/** One request of the log. `suffix` keeps the filter of the list. */
export function RequestDetails({ id, suffix }: { id: string; suffix: string }) {
  const [, navigate] = useLocation();
  const any = { method: '', status: '', path: '', all: true };
  const { data, error, refetch } = useRequests(any, LOGGED_REQUESTS_MAX);
  if (!data) return error ? <FailureView {...describeFailure(error)} onRetry={() => void refetch()} /> : <Loading />;
  const request = data.requests.find(({ request_id }) => request_id === id);
  const close = () => navigate(`/requests${suffix}`);
  if (!request) {
    return (
      <EmptyState title="Request not found">
        <p>It is not among the newest {LOGGED_REQUESTS_MAX} requests of this server.</p>
        <Button onClick={close}>Show all requests</Button>
      </EmptyState>
    );
  }
  return (
    <Page
      title={`${request.method} ${request.path}`}
      actions={
        <Button icon={ArrowLeft} onClick={close}>
          All requests
        </Button>
      }
    >
      <Facts request={request} />
      {request.warnings.length > 0 && <Warnings request={request} />}
    </Page>
  );
}

function Facts({ request }: { request: LoggedRequest }) {
  const { client } = useInbox();
  const now = client.now ? Date.parse(client.now) : 0;
  const email = /^\/v1\/emails\/(msg_\w+)$/.exec(request.path)?.[1];
  const facts = {
    Request: (
      <>
        {request.method} <bdi>{request.path}</bdi>
      </>
    ),
    Status: <StatusCode status={request.status} />,
    Error: request.error_code,
    Email: email && <Link href={`/emails/${email}`}>{email}</Link>,
    Time: <Time at={request.created_at} now={now} />,
    Duration: `${request.ms} ms`,
    'API key': request.key_id ?? 'None, or not valid',
    Client: request.user_agent && <bdi>{request.user_agent}</bdi>,
    'Request ID': <code>{request.request_id}</code>,
  };
  return (
    <>
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
      <p className={styles.note}>The log never stores queries, bodies or the values of keys.</p>
    </>
  );
}

function Warnings({ request: { warnings } }: { request: LoggedRequest }) {
  return (
    <Section title="Warnings">
      <ul className={styles.warnings}>
        {warnings.map(({ code, path, message, advice, strict_status }) => (
          <li key={`${code} ${path}`}>
            <p>
              {path && <code>{path}</code>} {message}
            </p>
            <p className={styles.note}>{advice}</p>
            {strict_status !== null && (
              <p className={styles.note}>A server with --strict refuses this with status {strict_status}.</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
