import { Plus } from 'lucide-react';
import { useState } from 'react';
import { LOGGED_REQUESTS_MAX } from '../../../contract/vocabulary/limits.js';
import { useControl, useService } from '../../api/calls.js';
import { useReadOnFocus } from '../../api/reading-on-focus.js';
import { Button } from '../../components/button.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { KeyTable } from './key-table.js';
import { NewKey } from './new-key.js';

/** The API keys, and when each was used last. */
export function ApiKeysPage() {
  const [isAdding, setAdding] = useState(false);
  const keys = useService('api-keys.list', {});
  const log = useControl('requests.list', { query: { all: 'true', limit: String(LOGGED_REQUESTS_MAX) } });
  useReadOnFocus('api-keys', 'requests');
  return (
    <Page
      title="API keys"
      about="Keys of applications that call the API. Requests with a test key may send from any domain."
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          Create API key
        </Button>
      }
    >
      <Loaded query={keys}>{({ api_keys }) => <KeyTable keys={api_keys} log={log.data?.requests} />}</Loaded>
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
    </Page>
  );
}
