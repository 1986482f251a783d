import { useMemo, useState } from 'react';
import { CopyButton } from '../../../components/copy-text.js';
import { loadable } from '../../../components/loadable.js';
import { Loaded } from '../../../components/states.js';
import styles from '../tabs/source-tab.module.css';
import type { TabProps } from '../types.js';
import { useRawMessage } from '../use-bytes.js';

const CodeView = loadable(() => import('../../../components/code/code-view.js').then((file) => file.CodeView));

const VIEWS = [
  { name: 'raw', label: 'Raw message' },
  { name: 'html', label: 'Decoded HTML' },
  { name: 'text', label: 'Decoded text' },
] as const;
type View = (typeof VIEWS)[number]['name'];

/** The message as bytes, and its bodies without their transfer encoding. */
export function SourceTab({ email }: TabProps) {
  const message = useRawMessage(email.id);
  return <Loaded query={message}>{(bytes) => <Source email={email} bytes={bytes} />}</Loaded>;
}

function Source({ email: { html, text }, bytes }: TabProps & { bytes: Uint8Array }) {
  const [view, setView] = useState<View>('raw');
  const raw = useMemo(() => new TextDecoder().decode(bytes), [bytes]);
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
