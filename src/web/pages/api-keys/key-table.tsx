import { useState } from 'react';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Result } from '../../../contract/endpoint.js';
import type { Service } from '../../../contract/service/endpoints.js';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useInbox, useServiceChange } from '../../api/calls.js';
import { Button } from '../../components/button.js';
import { ConfirmAction } from '../../components/confirm-action.js';
import { formatCount } from '../../components/format.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';

type ApiKey = Result<Service['api-keys.list']>['api_keys'][number];
type LoggedRequest = Result<Control['requests.list']>['requests'][number];

interface Props {
  keys: ApiKey[];
  /** The newest requests first; undefined until they are known. */
  log: LoggedRequest[] | undefined;
}

export function KeyTable({ keys, log }: Props) {
  const { info } = useInbox();
  const [revoked, setRevoked] = useState<ApiKey>();
  const { mutateAsync: revoke } = useServiceChange('api-keys.revoke');
  return (
    <>
      <table className={`${tables.table} ${tables.wide}`}>
        <caption>
          The server keeps only hashes of keys. The last request is searched among the newest{' '}
          {formatCount(LOGGED_REQUESTS_MAX)} of the request log.
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Requests per minute</th>
            <th scope="col">Created</th>
            <th scope="col">Last request</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row" className={tables.name}>
                <bdi>{key.name}</bdi>
              </th>
              <td className={tables.keep}>
                <code>svc_{key.environment}_…</code>
              </td>
              <td data-label="Requests per minute:">{formatCount(key.rate_limit)}</td>
              <td className={`${tables.keep} ${tables.muted}`} data-label="Created:">
                <Time at={key.created_at} />
              </td>
              <td className={`${tables.keep} ${tables.muted}`} data-label="Last request:">
                {log && <LastRequest id={key.id} log={log} />}
              </td>
              <td className={tables.action}>
                <Button kind="danger" aria-label={`Revoke ${key.name}`} onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoked && (
        <ConfirmAction
          title={`Revoke ${revoked.name}?`}
          action="Revoke"
          onConfirm={() => revoke({ params: { id: revoked.id } })}
          onClose={() => setRevoked(undefined)}
        >
          <p>Requests with this key fail at once. This cannot be undone.</p>
          {revoked.id === info.server_key_id && (
            <p>The commands of this machine and the inbox use this key. They fail until the server restarts.</p>
          )}
        </ConfirmAction>
      )}
    </>
  );
}

function LastRequest({ id, log }: { id: string; log: LoggedRequest[] }) {
  const last = log.find(({ key_id }) => key_id === id);
  return last ? <Time at={last.created_at} /> : 'None';
}
