import { useState } from 'react';
import { Button } from '../button.js';
import { CopyButton } from '../copy-text.js';
import { beginningOf, formatCount } from '../format.js';
import styles from './attempts.module.css';

interface Props {
  title: 'Request' | 'Response';
  note?: string | undefined;
  /** The method and URL, or the status. */
  start: string;
  headers: Record<string, string>;
  /** The exact text, which is copied. */
  body: string;
  /** The text in a form that is easy to read. */
  shown: string;
}

/** Characters of a body that are shown at first. */
const SHOWN_CHARACTERS = 20_000;

/** A request or a response: first line, headers and body. */
export function HttpMessage({ title, note, start, headers, body, shown }: Props) {
  return (
    <section className={styles.message} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.start}>{start}</p>
      {note && <p className={styles.note}>{note}</p>}
      <dl className={styles.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {body === '' ? (
        <p className={styles.note}>No body</p>
      ) : (
        <Body name={`${title.toLowerCase()} body`} body={body} shown={shown} />
      )}
    </section>
  );
}

function Body({ name, body, shown }: { name: string; body: string; shown: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && shown.length > SHOWN_CHARACTERS;
  return (
    <div className={styles.body}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <section tabIndex={0} aria-label={name}>
        <pre>{isCut ? beginningOf(shown, SHOWN_CHARACTERS) : shown}</pre>
      </section>
      <span className={styles.copy}>
        <CopyButton text={body} label={`Copy the ${name} as it was sent`} />
      </span>
      {isCut && <Button onClick={() => setWhole(true)}>Show all {formatCount(shown.length)} characters</Button>}
    </div>
  );
}
