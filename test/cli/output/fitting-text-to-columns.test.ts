import { describe, expect, it } from 'vitest';
import { fitted } from '../../../src/cli/dashboard/layout.js';
import { displayWidth, shorten, wrapLine } from '../../../src/cli/output/display-width.js';

/** Text on a terminal, where a character takes no column, one or two. */

const FAMILY = '👩‍👩‍👧‍👦';

describe('text on a terminal', () => {
  it.each([
    ['curly quotes', '“ok”', 4],
    ['an arrow', '→', 1],
    ['Han characters', '日本', 4],
    ['a Hangul syllable', '한', 2],
    ['a fullwidth letter', 'Ａ', 2],
    ['a halfwidth letter of Katakana', 'ｱ', 1],
    ['a family', FAMILY, 2],
    ['a flag', '🇩🇪', 2],
    ['an accent of its own', 'e\u0301', 1],
  ])('takes the columns of %s', (_, text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('is cut between characters, with an ellipsis', () => {
    expect(shorten('日本語', 6)).toBe('日本語');
    expect(shorten('日本語', 5)).toBe('日本…');
    expect(shorten(`a${FAMILY}b`, 3)).toBe('a…');
  });

  it('is wrapped between characters', () => {
    expect(wrapLine('abcde', 2)).toEqual(['ab', 'cd', 'e']);
    expect(wrapLine('“a” → b', 7)).toEqual(['“a” → b']);
    expect(wrapLine('日本語', 5)).toEqual(['日本', '語']);
    expect(wrapLine(`ab${FAMILY}c`, 3)).toEqual(['ab', `${FAMILY}c`]);
    expect(wrapLine('日', 1)).toEqual(['日']);
    expect(wrapLine('', 5)).toEqual(['']);
  });

  it('is wrapped after words, with the indentation and colors of the line', () => {
    expect(wrapLine('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapLine('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapLine('  one two three', 8)).toEqual(['  one', '  two', '  three']);
    expect(wrapLine('a longerword', 6)).toEqual(['a', 'longer', 'word']);
    expect(wrapLine('to \u001b[31mbounced\u001b[0m', 10)).toEqual(['to \u001b[31mbounced\u001b[0m']);
  });

  it('fills a column of the dashboard exactly', () => {
    for (const text of ['short', '日本語のとても長い件名', `${FAMILY} family`, 'a subject that is too long']) {
      expect(displayWidth(fitted(text, 12)), text).toBe(12);
    }
  });
});
