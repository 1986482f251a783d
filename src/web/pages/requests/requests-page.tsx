import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useInbox, useLiveLog } from '../../api/calls.js';
import { useDelayed } from '../../api/delayed.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { CheckField, SelectField, TextField } from '../../components/form/field.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded, Loading } from '../../components/states.js';
import { Table } from '../../components/table.js';
import table from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { type RequestFilter, readFilter, suffixOf } from './addresses.js';
import { type LoggedRequest, RequestDetails, StatusCode, useRequests } from './request-details.js';
import styles from './requests.module.css';

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
      <Results filter={filter} />
    </Page>
  );
}

function Filters({ filter }: { filter: RequestFilter }) {
  const [, navigate] = useLocation();
  const set = (change: Partial<RequestFilter>) =>
    navigate(`/requests${suffixOf({ ...filter, ...change })}`, { replace: true });
  return (
    <search className={styles.filters}>
      <TextField
        label="Path"
        type="search"
        value={filter.path}
        placeholder="/v1/emails"
        onChange={({ target }) => set({ path: target.value })}
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
  const suffix = suffixOf(filter);
  // The filter for which older requests are shown, too.
  const [whole, setWhole] = useState<string>();
  const limit = whole === suffix ? LOGGED_REQUESTS_MAX : FIRST;
  const settled = { ...filter, path: useDelayed(filter.path, TYPING_MS) };
  const log = useRequests(settled, limit);
  useLiveLog('requests.stream');
  return (
    <Loaded query={log}>
      {({ requests }) => (
        <>
          {requests.length > 0 && <RequestTable requests={requests} suffix={suffix} />}
          {requests.length === 0 && (log.isPlaceholderData ? <Loading /> : <Nothing suffix={suffixOf(settled)} />)}
          {requests.length === limit && limit < LOGGED_REQUESTS_MAX && (
            <div>
              <Button onClick={() => setWhole(suffix)}>Show older requests</Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

function Nothing({ suffix }: { suffix: string }) {
  const [, navigate] = useLocation();
  if (suffix === '') return <NoRequests />;
  return (
    <EmptyState title="No requests match">
      <Button onClick={() => navigate('/requests')}>Show all requests</Button>
    </EmptyState>
  );
}

function NoRequests() {
  const { info } = useInbox();
  return (
    <EmptyState title="No requests yet">
      <p>Send a request to the API, such as this one:</p>
      <CopyText
        text={`eval "$(svc dev env${info.command_flags})"\ncurl ${info.base_url}/emails -H "Authorization: Bearer $SVC_API_KEY"`}
        label="Copy the commands"
      />
    </EmptyState>
  );
}

/** Requests, newest first. `suffix` keeps the filter in the addresses. */
export function RequestTable({ requests, suffix }: { requests: readonly LoggedRequest[]; suffix: string }) {
  return (
    <Table label="Requests, newest first" wide columns={['Time', 'Status', 'Request', 'Duration', 'API key']}>
      {requests.map((request) => (
        <tr key={request.seq}>
          <td className={table.keep}>
            <Time at={request.created_at} />
          </td>
          <td className={table.keep}>
            <StatusCode status={request.status} />
          </td>
          <td className={styles.path}>
            <Link href={`/requests/${request.request_id}${suffix}`}>
              {request.method} <bdi>{request.path}</bdi>
            </Link>
            {request.error_code && (
              <div className={table.muted}>
                <bdi>{request.error_message ?? request.error_code}</bdi>
              </div>
            )}
            {request.warnings.length > 0 && (
              <div className={table.muted}>
                {request.warnings.length === 1 ? '1 warning' : `${request.warnings.length} warnings`}
              </div>
            )}
          </td>
          <td className={`${table.keep} ${styles.number}`}>{request.ms} ms</td>
          <td className={styles.key} title={request.key_id ?? undefined}>
            {request.key_id ?? 'None'}
          </td>
        </tr>
      ))}
    </Table>
  );
}
