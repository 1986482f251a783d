import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.js';
import { HtmlPreview } from '../../../components/html-preview/html-preview.js';
import { loadable } from '../../../components/loadable.js';
import { Loaded } from '../../../components/loaded.js';
import { useContentUrls } from '../content-urls.js';
import { TextBeginning } from '../text-tab.js';
import type { TabProps } from '../types.js';
import styles from './preview-tab.module.css';

/** HTML that a browser needs longer for than one notices. */
const LARGE_CHARACTERS = 500_000;
const EmailDifferences = loadable(() => import('./email-differences.js').then((file) => file.EmailDifferences), null);

/** The copy before tracking was added. */
const AS_WRITTEN = '';

/** The HTML of the email, or of a recipient's copy. */
export function PreviewTab(props: TabProps) {
  const urls = useContentUrls(props.email.id);
  if (props.email.html === '') {
    return (
      <EmptyState title="No HTML">
        <p>This email has no HTML.</p>
      </EmptyState>
    );
  }
  return <Loaded query={urls}>{(urls) => <Preview {...props} urls={urls} />}</Loaded>;
}

type Urls = NonNullable<ReturnType<typeof useContentUrls>['data']>;

function Preview({ email: { id, html, text, html_text }, onFrame, urls }: TabProps & { urls: Urls }) {
  const [recipient, setRecipient] = useState(AS_WRITTEN);
  const copy = urls.delivered.find(({ address }) => address === recipient);
  const { html: url, html_remote } = copy ?? urls;
  if (url === null || html_remote === null) return null;
  return (
    <HtmlPreview
      title="HTML of the email"
      html={html}
      urls={{ html: url, html_remote }}
      content={`${id} ${recipient}`}
      onUrl={onFrame}
      waiting={html.length > LARGE_CHARACTERS && <TextBeginning text={text || html_text} />}
      differences={(choice, isDark) => <EmailDifferences id={id} choice={choice} isDark={isDark} />}
    >
      {urls.delivered.length > 0 && (
        <select
          aria-label="Copy"
          className={styles.copies}
          value={recipient}
          onChange={(event) => setRecipient(event.target.value)}
        >
          <option value={AS_WRITTEN}>As written</option>
          {urls.delivered.map(({ address }) => (
            <option key={address} value={address}>
              Delivered to {address}
            </option>
          ))}
        </select>
      )}
    </HtmlPreview>
  );
}
