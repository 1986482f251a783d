import { Link } from 'wouter';
import table from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import styles from './requests.module.css';
import { StatusCode } from './status-code.js';
import type { LoggedRequest } from './use-requests.js';

/** Requests, newest first. `suffix` keeps the filter in the addresses. */
export function RequestTable({ requests, suffix }: { requests: readonly LoggedRequest[]; suffix: string }) {
  return (
    <table className={`${table.table} ${table.wide}`}>
      <caption className="visually-hidden">Requests, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" className={table.keep}>
            Status
          </th>
          <th scope="col">Request</th>
          <th scope="col">Duration</th>
          <th scope="col">API key</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
