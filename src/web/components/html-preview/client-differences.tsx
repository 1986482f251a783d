import type { ClientView } from '../../../contract/control/emails/check.js';
import { plural } from '../format.js';
import styles from './client-differences.module.css';

/** What a mail client changes in an email, with the lines of the HTML and the sources of the rules. */
export function ClientDifferences({ view }: { view: ClientView }) {
  const { title, subject, preview, differences } = view;
  return (
    <details className={styles.differences} open>
      <summary>
        {title}, <em>approximate</em>: {plural(differences.length, 'difference')}
      </summary>
      <p className={styles.row}>
        <strong>{subject || '(no subject)'}</strong> <span>{preview}</span>
      </p>
      <ul>
        {differences.map(({ rule, effect, text, source, where, count }) => (
          <li key={rule} data-effect={effect}>
            <span className={styles.effect}>{effect}</span>
            <div>
              {text}{' '}
              <a href={source} target="_blank" rel="noopener noreferrer">
                {rule}
              </a>
              {where.map(({ line, column, excerpt, note }) => (
                <p key={`${line}:${column} ${note}`} className={styles.place}>
                  Line {line} <code>{note ?? excerpt}</code>
                </p>
              ))}
              {count > where.length && <p className={styles.place}>{plural(count - where.length, 'more position')}</p>}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
