import { CopyButton } from '../../components/copy-text.js';
import { EmptyState } from '../../components/empty-state.js';
import styles from './text-tab.module.css';
import type { TabProps } from './types.js';

/** The text part, or the HTML as text. */
export function TextTab({ email: { text, html_text, parsing } }: TabProps) {
  const shown = text || html_text;
  if (shown.trim() === '') {
    return (
      <EmptyState title={parsing ? 'Reading the message…' : 'No text'}>
        <p>{parsing ? 'Its content appears in a moment.' : 'This email has no text and no HTML with text.'}</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles.page}>
      {text === '' && <p className={styles.note}>This email has no text part. This is its HTML as text.</p>}
      <div className={styles.copy}>
        <CopyButton text={shown} label="Copy the text" />
      </div>
      <pre className={styles.text} dir="auto">
        {shown}
      </pre>
    </div>
  );
}
