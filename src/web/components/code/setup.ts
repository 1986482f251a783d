import { defaultKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Languages and looks that all views of code share. */

export type Language = 'html' | 'json' | 'message' | 'text';

/** Highlights the header fields of a message and of its parts. */
const message = StreamLanguage.define<{ isHead: boolean }>({
  name: 'message',
  startState: () => ({ isHead: true }),
  blankLine: (state) => {
    state.isHead = false;
  },
  token(stream, state) {
    if (stream.sol() && stream.match(/^--\S+/, false)) {
      state.isHead = true;
      stream.skipToEnd();
      return 'meta';
    }
    if (state.isHead && stream.sol() && stream.match(/^[\w-]+:/)) return 'propertyName';
    stream.skipToEnd();
    return state.isHead ? 'string' : null;
  },
});

const languages: Record<Language, () => Extension> = {
  // Closing tags are typed: one that is inserted stays next to the one that is typed.
  html: () => html({ autoCloseTags: false }),
  json: () => json(),
  message: () => message,
  text: () => [],
};

const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.propertyName, tags.keyword], color: 'var(--blue)' },
  { tag: tags.attributeName, color: 'var(--violet)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--green)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--orange)' },
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: 'var(--text-muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-s)', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-muted)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--surface-selected)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)' },
});

/** The nonce that allows style elements of this page. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="svc-nonce"]')?.content ?? '';
}

/** Returns what a view and an editor share. */
export function codeSetup(language: Language, label: string): Extension {
  return [
    EditorView.cspNonce.of(nonce()),
    lineNumbers(),
    languages[language](),
    syntaxHighlighting(colors),
    look,
    keymap.of([...searchKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    // Without the tab index, tools take the scrolling area for one that a keyboard cannot reach.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ];
}

export function readOnlySetup(language: Language, label: string): Extension {
  return [
    codeSetup(language, label),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
  ];
}
