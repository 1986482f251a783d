import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.js';
import styles from './copy-text.module.css';

const SHOWN_MS = 1_500;

/** A button that copies a text, and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  useEffect(() => {
    if (state === '') return;
    const timer = setTimeout(() => setState(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => void copyText(text).then((ok) => setState(ok ? 'copied' : 'failed'));
  return (
    <>
      <IconButton label={label} icon={state === 'copied' ? Check : Copy} onClick={copy} />
      <span role="status" className="visually-hidden">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Cannot copy. Select the text instead.'}
      </span>
    </>
  );
}

/** A line or block of code with a button that copies it. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  return (
    <div className={styles.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text needs the keyboard too */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label ?? 'Copy'} />
    </div>
  );
}

/** Returns whether the text was copied. Outside of secure contexts, only the old command works. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return true;
  }
  const area = document.createElement('textarea');
  area.value = text;
  // Dialogs and menus keep the focus within them.
  const parent = document.activeElement?.closest('dialog:modal, [role="menu"]') ?? document.body;
  parent.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
