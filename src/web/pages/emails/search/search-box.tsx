import { Search, Star, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { shortcutsOf, useShortcuts } from '../../../common/shortcuts.js';
import { IconButton } from '../../../components/button.js';
import { type Completion, completionsAt, queryProblem } from './query-terms.js';
import { isSaved, toggleSaved, useSavedSearches } from './saved-searches.js';
import styles from './search-box.module.css';

interface Props {
  search: string;
  /** What the server refused about the query. */
  problem?: string | undefined;
  onSearch(search: string): void;
  /** Called when a problem of the query is shown, and when it is gone. */
  onInvalid(isInvalid: boolean): void;
}

/** Milliseconds without a key after which the text is searched for. */
const PAUSE_MS = 250;
/** Milliseconds without a key after which an incomplete query is reported. */
const PATIENCE_MS = 900;

export function SearchBox({ search, problem, onSearch, onInvalid }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  const [position, setPosition] = useState<number>();
  const invalid = useProblem(text, problem);
  useEffect(() => onInvalid(invalid !== undefined), [invalid, onInvalid]);
  const ids = { problem: useId(), list: useId() };
  // A space at the end is not part of the search, but the start of its next word.
  useEffect(() => setText((typed) => (typed.trim() === search ? typed : search)), [search]);
  useEffect(() => {
    if (text.trim() === search || queryProblem(text)) return;
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  useShortcuts(shortcutsOf('Emails', { '/': () => input.current?.select() }));
  const { start, completions } = position === undefined ? { start: 0, completions: [] } : completionsAt(text, position);
  const accept = ({ text: added }: Completion) => {
    const end = position ?? text.length;
    setText(text.slice(0, start) + added + text.slice(end).trimStart());
    setPosition(start + added.length);
    requestAnimationFrame(() => input.current?.setSelectionRange(start + added.length, start + added.length));
  };
  const clear = () => {
    setText('');
    onSearch('');
  };
  const list = useCompletionKeys(completions, accept);
  const onKeyDown = (event: KeyboardEvent) => {
    if (list.onKeyDown(event)) return;
    if (event.key === 'Enter' && !queryProblem(text)) {
      setPosition(undefined);
      onSearch(text.trim());
      // The next keys are those of the list.
      input.current?.blur();
    } else if (event.key === 'Escape') {
      if (completions.length > 0) setPosition(undefined);
      else input.current?.blur();
    }
  };
  return (
    <search className={styles.search}>
      <div className={styles.box} data-invalid={invalid !== undefined}>
        <Search size={16} aria-hidden />
        <input
          ref={input}
          role="combobox"
          aria-label="Search emails"
          aria-expanded={completions.length > 0}
          aria-controls={ids.list}
          aria-autocomplete="list"
          aria-activedescendant={list.active === undefined ? undefined : `${ids.list}-${list.active}`}
          aria-invalid={invalid !== undefined}
          aria-describedby={invalid ? ids.problem : undefined}
          placeholder="Search: to:ada@example.test subject:reset"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPosition(event.target.selectionStart ?? undefined);
          }}
          onBlur={() => setPosition(undefined)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && <SaveButton search={text.trim()} />}
        {text !== '' && <IconButton label="Clear the search" icon={X} onClick={clear} />}
      </div>
      <Completions id={ids.list} completions={completions} active={list.active} onChoose={accept} />
      {invalid && (
        <p id={ids.problem} className={styles.problem} role="alert">
          {invalid}
        </p>
      )}
    </search>
  );
}

function SaveButton({ search }: { search: string }) {
  const saved = useSavedSearches();
  const on = isSaved(saved, search);
  return (
    <IconButton
      label={on ? 'Remove from saved searches' : 'Save this search'}
      icon={Star}
      aria-pressed={on}
      onClick={() => toggleSaved(search)}
    />
  );
}

interface CompletionsProps {
  id: string;
  completions: readonly Completion[];
  active: number | undefined;
  onChoose(completion: Completion): void;
}

function Completions({ id, completions, active, onChoose }: CompletionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Completions"
      className={styles.completions}
      hidden={completions.length === 0}
    >
      {completions.map((completion, index) => (
        <div
          key={completion.label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className={styles.completion}
          // Before the text field loses the focus, which closes the list.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(completion);
          }}
        >
          <code>{completion.label}</code>
          <span>{completion.description}</span>
        </div>
      ))}
    </div>
  );
}

/** Returns the chosen completion, and a handler that returns whether it used the key. */
function useCompletionKeys(completions: readonly Completion[], accept: (completion: Completion) => void) {
  const [chosen, setChosen] = useState<number>();
  const count = completions.length;
  const active = chosen !== undefined && chosen < count ? chosen : undefined;
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (count === 0) return false;
    if (event.key === 'ArrowDown') setChosen(active === undefined ? 0 : (active + 1) % count);
    else if (event.key === 'ArrowUp') setChosen(active === undefined ? count - 1 : (active + count - 1) % count);
    else if (event.key === 'Tab' || (event.key === 'Enter' && active !== undefined)) {
      accept(completions[active ?? 0] as Completion);
      setChosen(undefined);
    } else {
      setChosen(undefined);
      return false;
    }
    event.preventDefault();
    return true;
  };
  return { active, onKeyDown };
}

/** Returns what is wrong with the query, once the user stops typing. */
function useProblem(text: string, refused: string | undefined): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    setShown(undefined);
    const error = queryProblem(text);
    if (!error) return;
    const timer = setTimeout(() => setShown([error.message, error.hint].filter(Boolean).join(' ')), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return shown ?? refused;
}
