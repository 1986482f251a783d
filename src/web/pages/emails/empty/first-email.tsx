import { useInbox } from '../../../api/calls.js';
import { CopyText } from '../../../components/copy-text.js';
import styles from './first-email.module.css';
import { snippets } from './snippets.js';

/** Shows how to send the first email to this server. */
export function FirstEmail() {
  const { info } = useInbox();
  return (
    <div className={styles.page}>
      <h2>No emails yet</h2>
      <p>Send one to this server, and it appears here at once. It is not delivered to real mailboxes.</p>
      {snippets(info).map(({ title, hint, code }) => (
        <section key={title} className={styles.snippet}>
          <h3>{title}</h3>
          {hint && <p>{hint}</p>}
          <CopyText text={code} label={`Copy: ${title}`} />
        </section>
      ))}
    </div>
  );
}
