import { type Key, useInput } from 'ink';

/**
 * Calls back with each key, one at a time. Keys that are pressed faster than they are read come in one piece, which ink takes
 * for one key that nobody knows; Escape and the key after it come as that key with Alt held, which no key here asks for.
 */
export function useKeyPresses(pressed: (input: string, key: Key) => void): void {
  useInput((input, key) => {
    if (key.meta && !key.escape) {
      pressed('', { ...NO_KEY, escape: true });
      return pressed(input, { ...key, meta: false });
    }
    const characters = [...input];
    if (characters.length < 2) return pressed(input, key);
    for (const character of characters) pressed(character === CTRL_C ? 'c' : character, keyOf(character, key));
  });
}

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
const CTRL_C = '\u0003';

function keyOf(character: string, key: Key): Key {
  return {
    ...key,
    tab: character === '\t',
    return: character === '\r' || character === '\n',
    delete: character === '\u007f',
    ctrl: character === CTRL_C,
  };
}
