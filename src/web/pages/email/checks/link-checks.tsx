import { useState } from 'react';
import { useControlChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { ConfirmAction } from '../../../components/confirm-action.js';
import { Problem } from '../../../components/problem.js';
import tableStyles from '../../../components/table.module.css';
import styles from './checks-tab.module.css';

const COLORS = { ok: 'passed', failed: 'error', skipped: 'none' } as const;

/** Requests the links of an email: those to this machine, and after a confirmation all others. */
export function LinkChecks({ id }: { id: string }) {
  const { mutate, mutateAsync, data, variables, error, isPending } = useControlChange('emails.check_links');
  const [isAsking, setAsking] = useState(false);
  const canRequestMore = data !== undefined && data.skipped > 0 && !variables?.body.remote;
  return (
    <section className={styles.links} aria-label="Links">
      <div className={styles.buttons}>
        <Button disabled={isPending} onClick={() => mutate({ params: { id }, body: { remote: false } })}>
          {isPending ? 'Requesting…' : 'Request links to this machine'}
        </Button>
        {canRequestMore && (
          <Button disabled={isPending} onClick={() => setAsking(true)}>
            Request all links
          </Button>
        )}
      </div>
      {error && !isAsking && <Problem error={error} />}
      {data && (
        <table className={tableStyles.table}>
          <caption>
            {data.ok} ok, {data.failed} failed, {data.skipped} skipped
          </caption>
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Link</th>
              <th scope="col">Details</th>
            </tr>
          </thead>
          <tbody>
            {data.links.map(({ url, result, details }) => (
              <tr key={url}>
                <td className={tableStyles.keep}>
                  <span className={`${styles.result} ${styles[COLORS[result]]}`}>{result}</span>
                </td>
                <td>{url}</td>
                <td className={tableStyles.muted}>{details}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isAsking && (
        <ConfirmAction
          title="Request links to other machines?"
          action="Request all links"
          kind="primary"
          onConfirm={() => mutateAsync({ params: { id }, body: { remote: true } })}
          onClose={() => setAsking(false)}
        >
          <p>
            svc sends HEAD requests without credentials. The owners of the links can see them, and a one-time link may
            be used up.
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}
