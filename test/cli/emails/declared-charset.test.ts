import { expect, it } from 'vitest';
import { declaredAsUtf8 } from '../../../src/cli/output/fields.js';

it.each([
  ['<meta charset=iso-8859-1>é', '<meta charset=utf-8>é'],
  ['<META CharSet = "windows-1252">', '<META CharSet = "utf-8">'],
  [
    '<meta http-equiv="Content-Type" content="text/html; charset=ISO-2022-JP"><p>あ',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>あ',
  ],
  ['<meta charset="UTF-8">', '<meta charset="UTF-8">'],
  ['<p>charset=latin1</p>', '<p>charset=latin1</p>'],
  [`${' '.repeat(1_024)}<meta charset=latin1>`, `${' '.repeat(1_024)}<meta charset=latin1>`],
])('a page declares the charset in which it is written: %s', (html, written) => {
  expect(declaredAsUtf8(html)).toBe(written);
});
