import styles from './smtp.module.css';
import type { SmtpSessionDetails } from './use-sessions.js';

type Line = SmtpSessionDetails['transcript'][number];

const SENDERS: Record<Line['from'], { mark: string; name: string }> = {
  client: { mark: 'C:', name: 'Client' },
  server: { mark: 'S:', name: 'Server' },
  note: { mark: '–', name: 'Note' },
};

/** Commands and replies in order, with milliseconds since the client connected. */
export function Transcript({ lines }: { lines: readonly Line[] }) {
  return (
    <table className={styles.transcript}>
      <caption className="visually-hidden">Commands and replies</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Sender</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name, and never move
          <tr key={at} className={classOf(line)}>
            <td className={styles.offset}>{line.ms} ms</td>
            <td>
              <abbr title={SENDERS[line.from].name}>{SENDERS[line.from].mark}</abbr>
            </td>
            <td>
              <bdi>{line.text}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ from, text }: Line): string | undefined {
  if (from === 'note') return styles.aside;
  return from === 'server' && /^[45]\d\d/.test(text) ? styles.refusal : undefined;
}
