import { useSyncExternalStore } from 'react';
import { useInbox } from '../../api/calls.js';
import { Button } from '../../components/button.js';
import styles from './connection-banner.module.css';

/** Appears while the server cannot be reached. */
export function ConnectionBanner() {
  const { live } = useInbox();
  const state = useSyncExternalStore(live.subscribe, () => live.state);
  return (
    <div role="status" data-connection={state}>
      {state === 'lost' && (
        <div className={styles.banner}>
          <span>
            <strong>Disconnected:</strong> the server stopped or cannot be reached. This page reconnects automatically.
          </span>
          <Button onClick={live.retry}>Connect now</Button>
        </div>
      )}
    </div>
  );
}
