import tableStyles from '../../../components/table.module.css';
import type { Checks } from './check-item.js';

/** Features and clients that are listed. */
const LISTED_MAX = 15;

type Support = NonNullable<Checks['html_support']>;

/** The features with the least support, and the mail clients that support the least. */
export function ClientSupport({ support: { features, clients, source, updated } }: { support: Support }) {
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  const weak = features.filter(({ supported }) => supported < 100).slice(0, LISTED_MAX);
  return (
    <>
      <table className={`${tableStyles.table} ${tableStyles.wide}`}>
        <caption>Features with the least support</caption>
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Uses</th>
            <th scope="col">Supported</th>
            <th scope="col">Line</th>
            <th scope="col">Not supported by</th>
          </tr>
        </thead>
        <tbody>
          {weak.map(({ slug, title, url, found, supported, where, clients: without }) => (
            <tr key={slug}>
              <td>
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {title}
                </a>
              </td>
              <td className={tableStyles.keep}>{found}×</td>
              <td>{supported}%</td>
              <td className={tableStyles.keep}>{where[0] && `line ${where[0].line}`}</td>
              <td className={tableStyles.muted}>
                {without
                  .filter(({ support }) => support === 'unsupported')
                  .map(({ id }) => names.get(id) ?? id)
                  .join(', ') || 'Partial support only'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={tableStyles.table}>
        <caption>Clients with the lowest score</caption>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Score</th>
            <th scope="col">Not supported</th>
            <th scope="col">Partial</th>
          </tr>
        </thead>
        <tbody>
          {clients
            .filter(({ score }) => score !== null)
            .slice(0, LISTED_MAX)
            .map(({ id, name, score, unsupported, partial }) => (
              <tr key={id}>
                <td>{name}</td>
                <td>{score}</td>
                <td>{unsupported}</td>
                <td>{partial}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className={tableStyles.muted}>
        Data from{' '}
        <a href={source} target="_blank" rel="noopener noreferrer">
          {source.replace('https://www.', '')}
        </a>
        , updated {updated}
      </p>
    </>
  );
}
