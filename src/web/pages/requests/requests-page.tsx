import { useEffect, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useInbox } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { useLiveLog } from '../../api/use-live-log.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureView } from '../../components/failure-view.js';
import { CheckField, SelectField, TextField } from '../../components/form/field.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page/page.js';
import { type RequestFilter, readFilter, suffixOf } from './addresses.js';
import { RequestDetails } from './request-details.js';
import { RequestTable } from './request-table.js';
import styles from './requests.module.css';
import { useRequests } from './use-requests.js';

const FIRST = 100;
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const STATUSES = { '2xx': 'Successful (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Server errors (5xx)' };
/** Milliseconds after the last key until a text filters the list. */
const TYPING_MS = 200;

/** The requests that applications sent to the service, or one of them. */
export function RequestsPage() {
  const { id } = useParams<{ id?: string }>();
  const [parameters] = useSearchParams();
  const filter = readFilter(parameters);
  if (id !== undefined) return <RequestDetails key={id} id={id} suffix={suffixOf(filter)} />;
  return (
    <Page title="Requests" about="Requests of applications to the API of the service, newest first.">
      <Filters filter={filter} />
      <Results key={suffixOf(filter)} filter={filter} />
    </Page>
  );
}

function Filters({ filter }: { filter: RequestFilter }) {
  const [, navigate] = useLocation();
  const [path, setPath] = useState(filter.path);
  const set = (change: Partial<RequestFilter>) =>
    navigate(`/requests${suffixOf({ ...filter, path, ...change })}`, { replace: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after typing only
  useEffect(() => {
    if (path === filter.path) return;
    const timer = setTimeout(() => set({}), TYPING_MS);
    return () => clearTimeout(timer);
  }, [path]);
  return (
    <search className={styles.filters}>
      <TextField
        label="Path"
        type="search"
        value={path}
        placeholder="/v1/emails"
        onChange={({ target }) => setPath(target.value)}
      />
      <SelectField label="Method" value={filter.method} onChange={({ target }) => set({ method: target.value })}>
        <option value="">Any method</option>
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </SelectField>
      <SelectField label="Status" value={filter.status} onChange={({ target }) => set({ status: target.value })}>
        <option value="">Any status</option>
        {Object.entries(STATUSES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {filter.status !== '' && !(filter.status in STATUSES) && <option>{filter.status}</option>}
      </SelectField>
      <div className={styles.own}>
        <CheckField
          label="Include reads by svc commands"
          checked={filter.all}
          onChange={({ target }) => set({ all: target.checked })}
        />
      </div>
    </search>
  );
}

function Results({ filter }: { filter: RequestFilter }) {
  const [limit, setLimit] = useState(FIRST);
  const [, navigate] = useLocation();
  const { data, error, refetch } = useRequests(filter, limit);
  useLiveLog('requests.stream');
  if (!data) {
    return error ? <FailureView {...describeFailure(error)} onRetry={() => void refetch()} /> : <Loading />;
  }
  const suffix = suffixOf(filter);
  if (data.requests.length === 0 && suffix === '') return <NoRequests />;
  if (data.requests.length === 0) {
    return (
      <EmptyState title="No requests match">
        <Button onClick={() => navigate('/requests')}>Show all requests</Button>
      </EmptyState>
    );
  }
  return (
    <>
      <RequestTable requests={data.requests} suffix={suffix} />
      {data.requests.length === limit && limit < LOGGED_REQUESTS_MAX && (
        <div>
          <Button onClick={() => setLimit(LOGGED_REQUESTS_MAX)}>Show older requests</Button>
        </div>
      )}
    </>
  );
}

function NoRequests() {
  const { info } = useInbox();
  return (
    <EmptyState title="No requests yet">
      <p>Send a request to the API, such as this one:</p>
      <CopyText
        text={`eval "$(svc dev env)"\ncurl ${info.base_url}/emails -H "Authorization: Bearer $SVC_API_KEY"`}
        label="Copy the commands"
      />
    </EmptyState>
  );
}
