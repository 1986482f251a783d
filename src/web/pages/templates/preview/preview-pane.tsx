import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { CALL_MS } from '../../../../client/time-limit.js';
import { useInbox } from '../../../api/calls.js';
import { useDelayed } from '../../../api/delayed.js';
import { untilExpiry } from '../../../api/signed-urls.js';
import { HtmlPreview } from '../../../components/html-preview/html-preview.js';
import { Loading, Problem } from '../../../components/states.js';
import type { Content, Part } from '../drafts.js';
import type { Sample } from '../sample/use-sample.js';
import styles from './preview-pane.module.css';

interface Props {
  part: Part;
  content: Content;
  sample: Sample;
  missing: readonly string[];
}

/** The email that the template becomes with the sample data. */
export function PreviewPane({ part, content, sample, missing }: Props) {
  const { data, error } = usePreview(content, sample, missing);
  return (
    <section className={styles.pane} aria-label="Preview">
      <p className={styles.subject}>
        <span className={styles.label}>Subject</span> <bdi>{data?.subject}</bdi>
      </p>
      {error && (
        <div className={styles.problem}>
          <Problem error={error} />
        </div>
      )}
      {!data ? (
        !error && <Loading />
      ) : part === 'text' ? (
        <Text text={data.text} />
      ) : (
        <HtmlPreview title="HTML with the sample data" html={data.html} urls={data.urls} content={data.html} />
      )}
    </section>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <p className={styles.empty}>The text part is empty, so an email has only HTML.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text needs the keyboard too
    <pre className={styles.text} tabIndex={0} dir="auto">
      {text}
    </pre>
  );
}

/** Milliseconds without a change after which the preview is read. */
const PAUSE_MS = 150;

/**
 * Renders a template on the server as it is edited. Variables without a value remain as they are written. While the
 * template cannot be rendered, `data` is the last preview.
 */
function usePreview({ subject, html, text }: Content, { values, error: invalid }: Sample, missing: readonly string[]) {
  const { client } = useInbox();
  const current = useMemo(() => {
    const variables = Object.fromEntries([...Object.entries(values), ...missing.map((name) => [name, `{{${name}}}`])]);
    return { subject, html, text, variables };
  }, [subject, html, text, values, missing]);
  const body = useDelayed(current, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['inbox', 'inbox.preview', body],
    queryFn: ({ signal }) => client.control('inbox.preview', { body }, { signal, timeoutMs: CALL_MS }),
    enabled: invalid === undefined,
    ...untilExpiry,
    // The server keeps the newest previews only.
    gcTime: 0,
  });
  const last = useRef(data);
  if (data) last.current = data;
  return { data: data ?? last.current, error };
}
