import { useState } from 'react';
import { describeFailure } from '../../../api/failures.js';
import { FailureView } from '../../../components/failure-view.js';
import { HtmlPreview } from '../../../components/html-preview/html-preview.js';
import { Loading } from '../../../components/loading.js';
import { useContentUrls } from '../content-urls.js';
import type { TabProps } from '../types.js';
import styles from './preview-tab.module.css';

/** The copy before tracking was added. */
const AS_WRITTEN = '';

/** The HTML of the email, or of a recipient's copy. */
export function PreviewTab({ email: { id, html } }: TabProps) {
  const [recipient, setRecipient] = useState(AS_WRITTEN);
  const { data: urls, error, refetch } = useContentUrls(id);
  if (error && !urls) return <FailureView {...describeFailure(error)} onRetry={() => void refetch()} />;
  if (!urls) return <Loading />;
  const copy = urls.delivered.find(({ address }) => address === recipient);
  const { html: url, html_remote } = copy ?? urls;
  if (url === null || html_remote === null) return null;
  return (
    <HtmlPreview title="HTML of the email" html={html} urls={{ html: url, html_remote }} content={`${id} ${recipient}`}>
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
