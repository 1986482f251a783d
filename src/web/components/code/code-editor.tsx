import { history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './code-view.module.css';
import { type Mark, marks as markSupport, setMarks } from './marks.js';
import { codeSetup, type Language } from './setup.js';

interface Props {
  text: string;
  language: Language;
  /** The name of the editor for screen readers. */
  label: string;
  /** Parts to highlight, in their order. */
  marks: readonly Mark[];
  /** Moves the cursor to a part of the text, and the focus to the editor, whenever this is another object. */
  selection?: { from: number; to: number } | undefined;
  onChange(text: string): void;
}

/** An editor with colors, line numbers, undo and search (Ctrl-F). Tab leaves it, as it leaves any field. */
export function CodeEditor({ text, language, label, marks, selection, onChange }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const latest = useRef({ text, onChange });
  latest.current.onChange = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later text changes the editor instead of replacing it
  useEffect(() => {
    if (!parent.current) return;
    const changes = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      latest.current.text = state.doc.toString();
      latest.current.onChange(latest.current.text);
    });
    const extensions = [history(), keymap.of(historyKeymap), codeSetup(language, label), markSupport, changes];
    // Line breaks of the text stay what they are.
    const separator = EditorState.lineSeparator.of('\n');
    const state = EditorState.create({ doc: text, extensions: [separator, extensions] });
    latest.current.text = text;
    const view = new EditorView({ state, parent: parent.current });
    editor.current = view;
    return () => view.destroy();
  }, [language, label]);
  useEffect(() => {
    const view = editor.current;
    if (!view || text === latest.current.text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => editor.current?.dispatch({ effects: setMarks.of(marks) }), [marks]);
  useEffect(() => {
    const view = editor.current;
    if (!view || !selection || selection.to > view.state.doc.length) return;
    view.dispatch({ selection: { anchor: selection.from, head: selection.to }, scrollIntoView: true });
    view.focus();
  }, [selection]);
  return <div ref={parent} className={styles.code} />;
}
