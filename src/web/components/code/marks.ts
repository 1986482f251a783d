import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** A part of a text that an editor highlights. */
export interface Mark {
  from: number;
  to: number;
  kind: 'error' | 'warning' | 'placeholder';
  /** Shown on hovering. */
  title?: string;
}

export const setMarks = StateEffect.define<readonly Mark[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects, newDoc }) {
    const set = effects.find((effect) => effect.is(setMarks));
    if (!set) return decorations.map(changes);
    const marks = (set.value as readonly Mark[]).filter(({ from, to }) => from < to && to <= newDoc.length);
    return Decoration.set(
      marks.map(({ from, to, kind, title }) =>
        Decoration.mark({ class: `cm-mark-${kind}`, attributes: title ? { title } : {} }).range(from, to),
      ),
      true,
    );
  },
  provide: (decorations) => EditorView.decorations.from(decorations),
});

const look = EditorView.theme({
  '.cm-mark-placeholder': { color: 'var(--violet)', backgroundColor: 'var(--violet-soft)', borderRadius: '3px' },
  '.cm-mark-warning': { color: 'var(--orange)', backgroundColor: 'var(--orange-soft)', borderRadius: '3px' },
  '.cm-mark-error': { backgroundColor: 'var(--red-soft)', textDecoration: 'underline wavy var(--red)' },
  // The colors of the language are inside of the mark.
  '.cm-mark-placeholder *, .cm-mark-warning *': { color: 'inherit' },
});

export const marks = [field, look];
