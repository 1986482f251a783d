import type { Shortcut } from './shortcuts.js';

/** The shortcuts of each part of the page by their keys: the list of all of them has those of other parts, too. */
export const parts = {
  Emails: {
    where: 'On the page Emails',
    labels: {
      '/': 'Search emails',
      j: 'Next email',
      k: 'Previous email',
      o: 'Open email',
      t: 'Go to the tabs of the open email',
      Escape: 'Close the open email',
      x: 'Select or deselect email',
      '* a': 'Select all emails',
      '* n': 'Deselect all emails',
      e: 'Mark as read or unread',
      '#': 'Delete',
    },
  },
  Deletion: { where: 'For ten seconds after a deletion', labels: { z: 'Undo the deletion' } },
  Template: { where: 'In the editor of a template', labels: { 'Mod+s': 'Save the template' } },
} as const;

type Parts = typeof parts;

/** Returns shortcuts of a part with what they do. */
export function shortcutsOf<Part extends keyof Parts>(
  part: Part,
  actions: Partial<Record<keyof Parts[Part]['labels'], () => void>>,
): Shortcut[] {
  const labels: Readonly<Record<string, string>> = parts[part].labels;
  const all = actions as Readonly<Record<string, () => void>>;
  return Object.entries(all).map(([keys, run]) => ({ keys, label: labels[keys] ?? keys, group: part, run }));
}
