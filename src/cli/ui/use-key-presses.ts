import { type Key, useInput } from 'ink';

/**
 * Calls back with each key, one at a time. Keys that are pressed faster than they are read come in one piece, which ink takes
 * for one key that nobody knows.
 */
export function useKeyPresses(pressed: (input: string, key: Key) => void): void {
  useInput((input, key) => {
    const characters = [...input];
    if (characters.length < 2) return pressed(input, key);
    for (const character of characters) pressed(character === CTRL_C ? 'c' : character, keyOf(character, key));
  });
}

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
