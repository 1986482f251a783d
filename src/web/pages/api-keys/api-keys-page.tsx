import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Result } from '../../../contract/endpoint.js';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useControl, useControlChange, useInbox, useReadOnFocus, useServiceChange } from '../../api/calls.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { ConfirmAction, Dialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { formatCount } from '../../components/format.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import styles from './api-keys-page.module.css';

const KEYS = 'Keys of applications that call the API.';
const OWN_KEYS = 'Your keys for programs that call the API. Only you and administrators see them.';

/** The API keys, and when each was used last. */
export function ApiKeysPage() {
  const [isAdding, setAdding] = useState(false);
  const keys = useControl('api-keys.inspect', {});
  const log = useControl('requests.list', { query: { all: 'true', limit: String(LOGGED_REQUESTS_MAX) } });
  useReadOnFocus('api-keys', 'requests');
  const { info } = useInbox();
  const isMember = info.person !== null && !info.is_admin;
  return (
    <Page
      title="API keys"
      about={`${isMember ? OWN_KEYS : KEYS} Requests with a test key may send from any domain.`}
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          Create API key
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ api_keys }) =>
          api_keys.length > 0 ? (
            <KeyTable keys={api_keys} log={log.data?.requests} />
          ) : (
            <EmptyState title="No API keys yet">
              <p>Create one for each program that you use. You can revoke it here at any time.</p>
            </EmptyState>
          )
        }
      </Loaded>
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Creates an API key and shows it once. It is kept in memory only, until the dialog is closed. */
export function NewKey({ onClose }: { onClose(): void }) {
  const [key, setKey] = useState<string>();
  const { info } = useInbox();
  const { mutateAsync: create, reset } = useServiceChange('api-keys.create');
  const { mutateAsync: issue, reset: forget } = useControlChange('api-keys.issue');
  const submit = async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const [limit, owner, life] = [text('rate_limit'), text('owner'), text('expires_in')];
    const body = {
      name: text('name'),
      environment: fields.get('environment') === 'live' ? ('live' as const) : ('test' as const),
      ...(limit && { rate_limit: Number(limit) }),
    };
    // The service's own endpoint has neither an owner nor an end, and keys of workspaces may call it.
    const created = await (owner || life
      ? issue({ body: { ...body, ...(owner && { owner }), ...(life && { expires_in: life }) } })
      : create({ body }));
    reset();
    forget();
    setKey(created.key);
  };
  return (
    <Dialog title={key === undefined ? 'Create an API key' : 'Copy the API key now'} onClose={onClose}>
      {key === undefined ? (
        <Form action="Create" onSubmit={submit} onCancel={onClose}>
          <TextField label="Name" name="name" hint="What uses the key, such as an application." data-autofocus />
          <SelectField
            label="Environment"
            name="environment"
            hint="A live key can send only from verified domains, and a test key from any domain."
          >
            <option value="test">Test</option>
            <option value="live">Live</option>
          </SelectField>
          <TextField
            label="Requests per minute"
            name="rate_limit"
            inputMode="numeric"
            hint="Optional (default: that of the plan)."
          />
          {info.is_admin && (
            <TextField
              label="Owner"
              name="owner"
              hint={`Optional: the person or job that uses the key${info.person === null ? '' : ` (default: ${info.person})`}.`}
            />
          )}
          <TextField
            label="Time until it expires"
            name="expires_in"
            hint="Optional, such as 12h or 90d (default: never)."
          />
        </Form>
      ) : (
        <Created apiKey={key} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Created({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  return (
    <div className={styles.created}>
      <p>It is not shown again, because the server keeps only its hash.</p>
      <CopyText text={apiKey} label="Copy the API key" />
      <div className={styles.buttons}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

type ApiKey = Result<Control['api-keys.inspect']>['api_keys'][number];
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
      <Table
        caption={
          <>
            The server keeps only hashes of keys. The last request is searched among the newest{' '}
            {formatCount(LOGGED_REQUESTS_MAX)} of the request log.
          </>
        }
        wide
        columns={[
          'Name',
          'Key',
          'Owner',
          'Requests per minute',
          'Created',
          'Expires',
          'Last request',
          { hidden: 'Actions' },
        ]}
      >
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" className={tables.name}>
              <bdi>{key.name}</bdi>
            </th>
            <td className={tables.keep}>
              <code>svc_{key.environment}_…</code>
            </td>
            <td data-label={key.owner === null ? undefined : 'Owner:'}>
              <bdi>{key.owner}</bdi>
            </td>
            <td data-label="Requests per minute:">{formatCount(key.rate_limit)}</td>
            <td className={`${tables.keep} ${tables.muted}`} data-label="Created:">
              <Time at={key.created_at} />
            </td>
            <td className={`${tables.keep} ${tables.muted}`} data-label="Expires:">
              {key.expires_at ? <Time at={key.expires_at} /> : 'Never'}
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
      </Table>
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
