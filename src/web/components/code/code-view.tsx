import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './code-view.module.css';
import { type Language, readOnlySetup } from './setup.js';

interface Props {
  text: string;
  language: Language;
  /** The name of the view for screen readers. */
  label: string;
}

/** Shows code with colors, line numbers and search (Ctrl-F). Only the lines in view exist, so it may be large. */
export function CodeView({ text, language, label }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const state = EditorState.create({ doc: text, extensions: readOnlySetup(language, label) });
    const view = new EditorView({ state, parent: parent.current });
    return () => view.destroy();
  }, [text, language, label]);
  return <div ref={parent} className={styles.code} />;
}
