import { useQuery } from '@tanstack/react-query';
import { readAttachments } from '../../../api/attachments.js';
import { useInbox } from '../../../api/calls.js';
import { CopyButton } from '../../../components/copy-text.js';
import { formatSize } from '../../../components/format.js';
import { Loading } from '../../../components/loading.js';
import { Section } from '../../../components/page/section.js';
import { Problem } from '../../../components/problem.js';
import type { TabProps } from '../types.js';
import { assertions, type Snippet } from './assertions.js';
import styles from './code-tab.module.css';
import { requests } from './requests.js';

/** Maximum bytes of attachments in code that sends them. */
const ATTACHMENTS_BYTES = 100_000;
/** Maximum characters of code to show. All of it is copied. */
const SHOWN = 20_000;

/** This email as code: a test that waits for it, and a request that sends it. */
export function CodeTab({ email }: TabProps) {
  const { client, info } = useInbox();
  const { id, attachments: stored } = email;
  const isSmall = stored.reduce((sum, { size }) => sum + size, 0) <= ATTACHMENTS_BYTES;
  const {
    data: attachments = [],
    isLoading,
    error,
  } = useQuery({
    queryKey: ['attachments', id],
    queryFn: ({ signal }) => readAttachments(client, id, stored, signal),
    enabled: isSmall && stored.length > 0,
  });
  return (
    <div className={styles.page}>
      <Section title="Wait for it in a test">
        {assertions(email, info.command_flags).map((snippet) => (
          <Code key={snippet.title} {...snippet} />
        ))}
      </Section>
      <Section title="Send it again">
        {!isSmall && (
          <p className={styles.hint}>Attachments of more than {formatSize(ATTACHMENTS_BYTES)} are left out.</p>
        )}
        {error && <Problem error={error} />}
        {isLoading && <Loading />}
        {!isLoading && requests(email, info, attachments).map((snippet) => <Code key={snippet.title} {...snippet} />)}
      </Section>
    </div>
  );
}

function Code({ title, hint, code }: Snippet) {
  const rest = code.length - SHOWN;
  return (
    <section className={styles.code} aria-label={title}>
      <header className={styles.head}>
        <h3>{title}</h3>
        <CopyButton text={code} label={`Copy: ${title}`} />
      </header>
      {hint && <p className={styles.hint}>{hint}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text needs the keyboard too */}
      <pre tabIndex={0}>{code.slice(0, SHOWN)}</pre>
      {rest > 0 && <p className={styles.hint}>{formatSize(rest)} more are not shown. The button copies all of it.</p>}
    </section>
  );
}
