import { type ReactNode, useState } from 'react';
import { useControl, useControlChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { ConfirmAction } from '../../../components/dialog.js';
import { plural } from '../../../components/format.js';
import { Loaded, Problem } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import tableStyles from '../../../components/table.module.css';
import styles from '../tabs/checks-tab.module.css';
import type { TabProps } from '../types.js';
import { CheckItem, type Checks, ClientSupport } from './client-support.js';

const severities = ['error', 'warning', 'info'] as const;

/** Checks of the content and the authentication, and the support by mail clients. */
export function ChecksTab({ email: { id, links } }: TabProps) {
  const results = useControl('emails.check', { params: { id } });
  return (
    <Loaded query={results}>
      {(results) => <CheckResults results={results}>{links.length > 0 && <LinkChecks id={id} />}</CheckResults>}
    </Loaded>
  );
}

/** What checks found. The children are shown between the checks and the clients. */
export function CheckResults({ results, children }: { results: Omit<Checks, 'id'>; children?: ReactNode }) {
  const { passed, not_run, score, checks, html_support } = results;
  return (
    <div className={tableStyles.page}>
      <p className={styles.summary}>
        {score !== null && (
          <span>
            HTML support <strong>{score}</strong> of 100
          </span>
        )}
        {severities.map((severity) => {
          const count = checks.filter((check) => check.passed === false && check.severity === severity).length;
          return (
            count > 0 && <span key={severity}>{severity === 'info' ? `${count} info` : plural(count, severity)}</span>
          );
        })}
        <span>{passed} passed</span>
        <span>{not_run} not run</span>
      </p>
      <ul className={styles.checks}>
        {checks.map((check) => (
          <CheckItem key={check.id} check={check} />
        ))}
      </ul>
      {children}
      {html_support && <ClientSupport support={html_support} />}
    </div>
  );
}

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
        <Table
          caption={
            <>
              {data.ok} ok, {data.failed} failed, {data.skipped} skipped
            </>
          }
          columns={['Result', 'Link', 'Details']}
        >
          {data.links.map(({ url, result, details }) => (
            <tr key={url}>
              <td className={tableStyles.keep}>
                <span className={`${styles.result} ${styles[COLORS[result]]}`}>{result}</span>
              </td>
              <td>{url}</td>
              <td className={tableStyles.muted}>{details}</td>
            </tr>
          ))}
        </Table>
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
