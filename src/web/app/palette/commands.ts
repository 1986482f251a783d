import type { Shortcut } from '../shortcuts/shortcuts.js';

export interface Command {
  id: string;
  label: string;
  detail?: string;
  keys?: string;
  run(): void;
}

interface Sources {
  shortcuts: readonly Shortcut[];
  emails: readonly { id: string; subject: string; to: string }[];
  navigate(path: string): void;
}

/** Returns what the palette offers for a text: commands with all of its words, then emails that match it as a query. */
export function commandsFor(text: string, { shortcuts, emails, navigate }: Sources): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands: Command[] = shortcuts
    .filter(({ keys }) => keys !== 'Mod+k')
    .map(({ keys, label, content, run }) => ({ id: keys, label, ...(content && { detail: content }), keys, run }))
    .filter(({ label, detail = '' }) => words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)));
  if (text === '') return commands;
  return [
    ...commands,
    {
      id: 'search',
      label: `Search emails: ${text}`,
      run: () => navigate(`/emails?search=${encodeURIComponent(text)}`),
    },
    ...emails.map(({ id, subject, to }) => ({
      id,
      label: subject || '(no subject)',
      detail: to,
      run: () => navigate(`/emails/${id}`),
    })),
  ];
}
