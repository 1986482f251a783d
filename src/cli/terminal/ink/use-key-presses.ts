import { type Key, useInput } from 'ink';
import { useRef } from 'react';

/**
 * Calls back with each key, one at a time. Keys that are pressed faster than they are read come in one piece, which ink takes
 * for one key that nobody knows; Escape and the key after it come as that key with Alt held, which no key here asks for. What
 * is pasted is no key: it comes whole, to those who take text.
 */
export function useKeyPresses(
  pressed: (input: string, key: Key) => void,
  pasted: (text: string) => void = () => {},
): void {
  /** What has come of a paste that is under way. */
  const paste = useRef<string | undefined>(undefined);
  useInput((input, key) => {
    if (input === PASTE_BEGINS) {
      paste.current = '';
      return;
    }
    if (input === PASTE_ENDS) {
      pasted(paste.current ?? '');
      paste.current = undefined;
      return;
    }
    // ^C on its own is pressed, also where a terminal never says that a paste has ended.
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
  });
}

/** What a terminal in mode 2004 says around what is pasted, as ink hands it on. */
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
/** The characters that Ctrl makes of letters, as far as they mean something here. */
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
