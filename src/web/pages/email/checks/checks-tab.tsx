import type { ReactNode } from 'react';
import { useControl } from '../../../api/calls.js';
import { plural } from '../../../components/format.js';
import { Loaded } from '../../../components/loaded.js';
import tableStyles from '../../../components/table.module.css';
import type { TabProps } from '../types.js';
import { CheckItem, type Checks } from './check-item.js';
import styles from './checks-tab.module.css';
import { ClientSupport } from './client-support.js';
import { LinkChecks } from './link-checks.js';

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
