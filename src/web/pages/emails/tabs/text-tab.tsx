import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { CopyButton } from '../../../components/copy-text.js';
import { beginningOf, formatCount } from '../../../components/format.js';
import { EmptyState } from '../../../components/states.js';
import type { TabProps } from '../types.js';
import styles from './text-tab.module.css';

/** Characters of a text that are shown at first: a browser takes seconds to lay out megabytes. */
const SHOWN_CHARACTERS = 200_000;

const WHILE_LOADING_CHARACTERS = 20_000;

/** The beginning of a text, in the place of what takes longer to load. */
export function TextBeginning({ text }: { text: string }) {
  return (
    <pre className={`${styles.page} ${styles.text}`} dir="auto">
      {beginningOf(text, WHILE_LOADING_CHARACTERS)}
    </pre>
  );
}

/** The text part, or the HTML as text. */
export function TextTab({ email: { text, html_text, parsing } }: TabProps) {
  const [isWhole, setWhole] = useState(false);
  const whole = text || html_text;
  if (whole.trim() === '') {
    return (
      <EmptyState title={parsing ? 'Reading the message…' : 'No text'}>
        <p>{parsing ? 'Its content appears in a moment.' : 'This email has no text and no HTML with text.'}</p>
      </EmptyState>
    );
  }
  const isCut = !isWhole && whole.length > SHOWN_CHARACTERS;
  return (
    <div className={styles.page}>
      {text === '' && <p className={styles.note}>This email has no text part. This is its HTML as text.</p>}
      <div className={styles.copy}>
        <CopyButton text={whole} label="Copy the text" />
      </div>
      <pre className={styles.text} dir="auto">
        {isCut ? beginningOf(whole, SHOWN_CHARACTERS) : whole}
      </pre>
      {isCut && <Button onClick={() => setWhole(true)}>Show all {formatCount(whole.length)} characters</Button>}
    </div>
  );
}
