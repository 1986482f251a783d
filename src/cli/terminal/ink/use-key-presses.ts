import { type Key, useInput } from 'ink';
import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Calls `pressed` with each key, and `pasted` with pasted text as a whole.
 * Two cases of ink need extra handling. Several keys that arrive at once are reported as one input. Escape and the
 * following key are reported as that key with Alt; no key here uses Alt.
 */
export function useKeyPresses(
  pressed: (input: string, key: Key) => void,
  pasted: (text: string) => void = () => {},
): void {
  /** The pasted text so far, during a paste. */
  const paste = useRef<string | undefined>(undefined);
  const handle = (input: string, key: Key) => {
    if (input === PASTE_BEGINS) {
      paste.current = '';
      return;
    }
    if (input === PASTE_ENDS) {
      pasted(paste.current ?? '');
      paste.current = undefined;
      return;
    }
    // A single ^C is a key press. Some terminals never report the end of a paste.
    if (paste.current !== undefined && !(key.ctrl && input === 'c')) {
      paste.current += key.return ? '\n' : input;
      return;
    }
    paste.current = undefined;
    if (key.meta && !key.escape) {
      pressed('', { ...NO_KEY, escape: true });
      return pressed(input, { ...key, meta: false });
    }
    const characters = [...input];
    if (characters.length < 2) return pressed(input, key);
    for (const character of characters) pressed(CTRL_LETTERS.get(character) ?? character, keyOf(character, key));
  };
  // useInput takes a new handler only some time after the screen shows what its keys act on.
  const latest = useRef(handle);
  useLayoutEffect(() => {
    latest.current = handle;
  });
  const [stable] = useState(() => (input: string, key: Key) => latest.current(input, key));
  useInput(stable);
}

/** The marks of mode 2004 at the start and the end of pasted text, without the escape character that ink removes. */
const PASTE_BEGINS = '[200~';
const PASTE_ENDS = '[201~';

const NO_KEY: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};
/** The control characters of Ctrl and a letter, for the letters in use. */
const CTRL_LETTERS = new Map([
  ['\u0003', 'c'],
  ['\u0015', 'u'],
  ['\u001a', 'z'],
]);

function keyOf(character: string, key: Key): Key {
  return {
    ...key,
    tab: character === '\t',
    return: character === '\r' || character === '\n',
    delete: character === '\u007f',
    ctrl: CTRL_LETTERS.has(character),
  };
}
