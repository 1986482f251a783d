import { type KeyboardEvent, useId, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useControl } from '../../api/calls.js';
import { useDelayed } from '../../api/delayed.js';
import { type Shortcut, useAllShortcuts, useTypeAhead } from '../../common/shortcuts.js';
import { Dialog } from '../../components/dialog.js';
import { Keys } from '../../components/keys.js';
import styles from './palette.module.css';

/** Milliseconds without a key after which emails are searched. */
const PAUSE_MS = 250;

/** Finds pages, actions and emails by name. */
export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const { resume } = useTypeAhead();
  // In the step that draws the field. If it came later, a key typed meanwhile would replace this text.
  useLayoutEffect(() => {
    const typed = resume();
    setText((text) => text + typed);
  }, [resume]);
  const commands = useCommands(text);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const { active, setActive, onKeyDown } = useArrowKeys(commands.length, (index) => run(commands[index]));
  const list = useId();
  return (
    <Dialog title="Command palette" bare onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Command, page or search"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={commands[active] && `${list}-${active}`}
        placeholder="Type a command, a page or a search"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Commands" className={styles.list}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input takes the keyboard
          <div
            key={command.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className={styles.item}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onMouseMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <span className={styles.label}>{command.label}</span>
            {command.detail && <span className={styles.detail}>{command.detail}</span>}
            {command.keys && <Keys keys={command.keys} />}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function useCommands(text: string): readonly Command[] {
  const [, navigate] = useLocation();
  const shortcuts = useAllShortcuts();
  const search = text.trim();
  const settled = useDelayed(search, PAUSE_MS);
  const { data } = useControl(
    'emails.search',
    { query: { search: settled, limit: 5 } },
    { enabled: settled.length > 1, keepPrevious: true },
  );
  return commandsFor(search, { shortcuts, emails: search.length > 1 ? (data?.emails ?? []) : [], navigate });
}

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

/** Moves through a list of options with the arrow keys, while a text field has the focus. */
export function useArrowKeys(count: number, onEnter: (index: number) => void) {
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, Math.max(0, count - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter(active);
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, count));
    else if (event.key === 'ArrowUp') setActive((active + Math.max(1, count) - 1) % Math.max(1, count));
    else return;
    event.preventDefault();
  };
  return { active, setActive, onKeyDown };
}
