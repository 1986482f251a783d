import { useControl } from '../../../api/calls.js';
import { describeFailure } from '../../../api/failures.js';
import { FailureView } from '../../../components/failure-view.js';
import { Loading } from '../../../components/loading.js';
import tableStyles from '../../../components/table.module.css';
import type { TabProps } from '../types.js';
import { CheckItem } from './check-item.js';
import styles from './checks-tab.module.css';
import { ClientSupport } from './client-support.js';
import { LinkChecks } from './link-checks.js';

/** Checks of the content and the authentication, and the support by mail clients. */
export function ChecksTab({ email: { id, links } }: TabProps) {
  const { data, error, refetch } = useControl('emails.check', { params: { id } });
  if (error && !data) return <FailureView {...describeFailure(error)} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { passed, failed, not_run, score, checks, html_support } = data;
  return (
    <div className={tableStyles.page}>
      <p className={styles.summary}>
        {score !== null && (
          <span>
            HTML support <strong>{score}</strong> of 100
          </span>
        )}
        <span>{failed} failed</span>
        <span>{passed} passed</span>
        <span>{not_run} not run</span>
      </p>
      <ul className={styles.checks}>
        {checks.map((check) => (
          <CheckItem key={check.id} check={check} />
        ))}
      </ul>
      {links.length > 0 && <LinkChecks id={id} />}
      {html_support && <ClientSupport support={html_support} />}
    </div>
  );
}
