import { describe, expect, it } from 'vitest';
import { extract } from '../../../src/mime/extract/extract.js';

const textOf = (html: string) => extract({ subject: '', html, text: '', head: null }).htmlText;

describe('the text that is extracted from HTML', () => {
  it.each([
    [
      'omits a hidden element that its parent ends',
      '<div><span style="display:none">a<b>b</b></div>Your code is 4821',
      'Your code is 4821',
    ],
    ['omits nested elements of a hidden one', '<div hidden>a<div>b</div>c</div>d', 'd'],
    ['keeps what follows a hidden paragraph without an end tag', '<p hidden>a<br>b<p>c', 'c'],
    ['keeps preformatted text', '<xmp><b>1</b></xmp>', '<b>1</b>'],
    ['separates cells with a space and items with a line', '<tr><td>a<td>b</tr><ul><li>c<li>d</ul>', 'a b\n\nc\nd'],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it('gives a link at the beginning the kind that its line names', () => {
    const html = '<p><a href="https://a.test/x">Click here</a> to reset your password.</p><p>News</p>';
    expect(extract({ subject: '', html, text: '', head: null }).links).toMatchObject([{ kind: 'reset' }]);
  });
});
