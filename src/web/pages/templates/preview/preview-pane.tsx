import { HtmlPreview } from '../../../components/html-preview/html-preview.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import type { Sample } from '../sample/use-sample.js';
import type { Part } from '../source/parts.js';
import type { Content } from '../types.js';
import styles from './preview-pane.module.css';
import { usePreview } from './use-preview.js';

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
