import { ChevronDown } from 'lucide-react';
import type { ControlOperations } from '../../../../client/operations.js';
import styles from './checks-tab.module.css';

export type Checks = ControlOperations['emails.check']['result'];
type Check = Checks['checks'][number];

/** One check with its result. Its positions and its explanation can be opened. */
export function CheckItem({ check }: { check: Check }) {
  const { title, details, where, count, explanation, see, passed } = check;
  return (
    <li>
      <details open={passed === false && check.severity === 'error'}>
        <summary>
          <Result check={check} />
          <span>
            <strong>{title}</strong> <span className={styles.details}>{details}</span>
          </span>
          <ChevronDown size={16} aria-hidden className={styles.more} />
        </summary>
        <div className={styles.body}>
          <p>
            {explanation}{' '}
            <a href={see} target="_blank" rel="noopener noreferrer">
              Read more
            </a>
          </p>
          {where.length > 0 && (
            <ol className={styles.places}>
              {where.map(({ source, line, column, excerpt, note }) => (
                <li key={`${source} ${line} ${column} ${note}`}>
                  <span className={styles.position}>
                    {source} {line}:{column}
                  </span>{' '}
                  {note} <code>{excerpt}</code>
                </li>
              ))}
            </ol>
          )}
          {count > where.length && <p className={styles.details}>{count - where.length} more</p>}
        </div>
      </details>
    </li>
  );
}

function Result({ check: { passed, severity } }: { check: Check }) {
  const name = passed === null ? 'none' : passed ? 'passed' : severity;
  const word = passed === null ? 'not run' : name;
  return <span className={`${styles.result} ${styles[name]}`}>{word}</span>;
}
