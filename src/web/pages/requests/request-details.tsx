import { Link } from 'wouter';
import type { ControlOperations } from '../../../client/operations.js';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useControl } from '../../api/calls.js';
import { formatCount } from '../../components/format.js';
import { Facts, Page, Section } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Time } from '../../components/time.js';
import type { RequestFilter } from './addresses.js';
import styles from './requests.module.css';

/** One request of the log. `suffix` keeps the filter of the list. */
export function RequestDetails({ id, suffix }: { id: string; suffix: string }) {
  const any = { method: '', status: '', path: '', all: true };
  const log = useRequests(any, LOGGED_REQUESTS_MAX);
  const request = log.data?.requests.find(({ request_id }) => request_id === id);
  return (
    <Page
      title={request ? <Title request={request} /> : 'Request'}
      back={{ href: `/requests${suffix}`, label: 'All requests' }}
    >
      <Loaded query={log}>
        {() =>
          request ? (
            <>
              <Summary request={request} />
              {request.warnings.length > 0 && <Warnings request={request} />}
            </>
          ) : (
            <EmptyState title="Request not found">
              <p>It is not among the newest {formatCount(LOGGED_REQUESTS_MAX)} requests of this server.</p>
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  );
}

function Title({ request: { method, path } }: { request: LoggedRequest }) {
  return (
    <>
      {method} <bdi>{path}</bdi>
    </>
  );
}

function Summary({ request }: { request: LoggedRequest }) {
  const email = /^\/v1\/emails\/(msg_\w+)$/.exec(request.path)?.[1];
  const facts = {
    Status: <StatusCode status={request.status} />,
    Error: request.error_code && <Failure request={request} />,
    Email: email && <Link href={`/emails/${email}`}>{email}</Link>,
    Time: <Time at={request.created_at} />,
    Duration: `${request.ms} ms`,
    'API key': request.key_id ?? 'None, or not valid',
    Client: request.user_agent && <bdi>{request.user_agent}</bdi>,
    'Request ID': <code>{request.request_id}</code>,
  };
  return (
    <>
      <Facts facts={facts} />
      <p className={styles.note}>The log never stores queries, bodies or the values of keys.</p>
    </>
  );
}

function Failure({ request: { error_code, error_message, error_details } }: { request: LoggedRequest }) {
  // With one detail, the message is its path and text.
  const details = error_details.length > 1 ? error_details : [];
  return (
    <>
      <code>{error_code}</code>
      {error_message && (
        <div>
          <bdi>{error_message}</bdi>
        </div>
      )}
      {details.length > 0 && (
        <ul className={styles.details} aria-label="Invalid fields">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path && <code>{path}</code>} <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
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

/** A status of HTTP, in the color of its class; 0 for a request without a response. */
export function StatusCode({ status }: { status: number }) {
  if (status === 0) return <span className={`${styles.status} ${styles.bad}`}>No response</span>;
  const kind = status < 300 ? styles.good : status < 400 ? styles.neutral : status < 500 ? styles.refused : styles.bad;
  return <span className={`${styles.status} ${kind}`}>{status}</span>;
}

export type LoggedRequest = ControlOperations['requests.list']['result']['requests'][number];
type Query = NonNullable<ControlOperations['requests.list']['request']['query']>;

/** Reads the newest requests that match a filter. */
export function useRequests({ method, status, path, all }: RequestFilter, limit: number) {
  return useControl(
    'requests.list',
    {
      query: {
        ...(method && { method: method as NonNullable<Query['method']> }),
        ...(status && { status }),
        ...(path && { path: path.includes('*') ? path : `*${path}*` }),
        ...(all && { all: 'true' as const }),
        limit: String(limit),
      },
    },
    { keepPrevious: true },
  );
}
