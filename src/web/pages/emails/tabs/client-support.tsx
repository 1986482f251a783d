import { ChevronDown } from 'lucide-react';
import type { ControlOperations } from '../../../../client/operations.js';
import { Table } from '../../../components/table.js';
import tableStyles from '../../../components/table.module.css';
import styles from '../tabs/checks-tab.module.css';

/** Features and clients that are listed. */
const LISTED_MAX = 15;

type Support = NonNullable<Checks['html_support']>;

/** The features with the least support, and the mail clients that support the least. */
export function ClientSupport({ support: { features, clients, source, updated } }: { support: Support }) {
  const weak = features.filter(({ supported }) => supported < 100);
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  return (
    <>
      {weak.length > 0 && <Features features={weak} names={names} />}
      <Clients clients={clients.filter(({ score }) => score !== null)} />
      <p className={tableStyles.muted}>
        {weak.length === 0 && 'All listed clients support everything that this email uses. '}Data from{' '}
        <a href={source} target="_blank" rel="noopener noreferrer">
          {source.replace('https://www.', '')}
        </a>
        , updated {updated}.
      </p>
    </>
  );
}

/** Returns a caption, with the number of rows if it is limited. */
function captionOf(text: string, { length }: readonly unknown[]): string {
  return length > LISTED_MAX ? `${text}: ${LISTED_MAX} of ${length}` : text;
}

function Features({ features, names }: { features: Support['features']; names: ReadonlyMap<string, string> }) {
  return (
    <Table
      caption={captionOf('Features with the least support', features)}
      wide
      columns={['Feature', 'Uses', 'Supported', 'First use', 'Not supported by']}
    >
      {features.slice(0, LISTED_MAX).map(({ slug, title, url, found, supported, where, clients: without }) => (
        <tr key={slug}>
          <th scope="row" className={tableStyles.name}>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
          </th>
          <td className={tableStyles.keep} data-label="Uses:">
            {found}
          </td>
          <td data-label="Supported:">{supported}%</td>
          <td className={tableStyles.keep}>{where[0] && `line ${where[0].line}`}</td>
          <td className={tableStyles.muted} data-label="Not supported by:">
            {without
              .filter(({ support }) => support === 'unsupported')
              .map(({ id }) => names.get(id) ?? id)
              .join(', ') || 'none; some support it partially'}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Clients({ clients }: { clients: Support['clients'] }) {
  return (
    <Table
      caption={captionOf('Clients with the lowest score', clients)}
      wide
      columns={['Client', 'Score', 'Unsupported features', 'Partially supported']}
    >
      {clients.slice(0, LISTED_MAX).map(({ id, name, score, unsupported, partial }) => (
        <tr key={id}>
          <th scope="row" className={tableStyles.name}>
            {name}
          </th>
          <td data-label="Score:">{score}</td>
          <td data-label="Unsupported features:">{unsupported}</td>
          <td data-label="Partially supported:">{partial}</td>
        </tr>
      ))}
    </Table>
  );
}

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
