import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useInbox } from '../api/calls.js';
import { IconButton } from './button.js';
import styles from './copy-text.module.css';

const SHOWN_MS = { copied: 1_500, failed: 8_000 };

/** Copies texts. The caller shows the report: a success is for screen readers only, a failure is visible. */
export function useCopying() {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  useEffect(() => {
    if (state === '') return;
    const timer = setTimeout(() => setState(''), SHOWN_MS[state]);
    return () => clearTimeout(timer);
  }, [state]);
  const report = (
    <span role="status" className={state === 'failed' ? styles.failed : 'visually-hidden'}>
      {state === 'copied' && 'Copied'}
      {state === 'failed' && 'The browser does not allow copying. Select the text instead.'}
    </span>
  );
  const copy = (text: string) => void copyText(text).then((ok) => setState(ok ? 'copied' : 'failed'));
  return { isCopied: state === 'copied', copy, report };
}

/** A button that copies a text, and reports the result. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { isCopied, copy, report } = useCopying();
  return (
    <>
      <IconButton label={label} icon={isCopied ? Check : Copy} onClick={() => copy(text)} />
      {report}
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
async function copyText(text: string): Promise<boolean> {
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

/** Commands for this server, one a line, with a button that copies them. */
export function CopyCommand({ text, label }: { text: string; label?: string }) {
  const { command_flags } = useInbox().info;
  const command = text.replace(/^svc (?!templates init).*$/gm, (line) => line + command_flags);
  return <CopyText text={command} {...(label !== undefined && { label })} />;
}
