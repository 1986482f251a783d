import { lazy, useMemo, useState } from 'react';
import { describeFailure } from '../../../api/failures.js';
import { CopyButton } from '../../../components/copy-text.js';
import { FailureView } from '../../../components/failure-view.js';
import { Loading } from '../../../components/loading.js';
import type { TabProps } from '../types.js';
import { useRawMessage } from '../use-bytes.js';
import styles from './source-tab.module.css';

const CodeView = lazy(() =>
  import('../../../components/code/code-view.js').then((file) => ({ default: file.CodeView })),
);

const VIEWS = [
  { name: 'raw', label: 'Raw message' },
  { name: 'html', label: 'Decoded HTML' },
  { name: 'text', label: 'Decoded text' },
] as const;
type View = (typeof VIEWS)[number]['name'];

/** The message as bytes, and its bodies without their transfer encoding. */
export function SourceTab({ email: { id, html, text } }: TabProps) {
  const [view, setView] = useState<View>('raw');
  const { data, error, refetch } = useRawMessage(id);
  const raw = useMemo(() => data && new TextDecoder().decode(data), [data]);
  if (error) return <FailureView {...describeFailure(error)} onRetry={() => void refetch()} />;
  if (raw === undefined) return <Loading />;
  const shown = { raw, html, text }[view];
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        {VIEWS.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === view}
            disabled={{ raw, html, text }[name] === ''}
            className={styles.choice}
            onClick={() => setView(name)}
          >
            {label}
          </button>
        ))}
        <span className={styles.space} />
        <CopyButton text={shown} label="Copy the source" />
      </div>
      <CodeView
        key={view}
        text={shown}
        language={view === 'html' ? 'html' : view === 'raw' ? 'message' : 'text'}
        label="Source"
      />
    </div>
  );
}
