import { describe, expect, it } from 'vitest';
import { htmlText } from '../../../src/cli/output/text.js';

describe('HTML as text for a terminal', () => {
  it.each([
    [
      'joins inline text, and keeps its spaces',
      '<p>Hello <b>Ada</b>, it is<b> 12</b>34.</p>',
      'Hello Ada, it is 1234.',
    ],
    ['separates paragraphs', '<h1>One</h1><p>Two</p>Three', 'One\n\nTwo\n\nThree'],
    ['breaks lines', 'One<br>two<div>three</div>four<br><br>five', 'One\ntwo\nthree\nfour\n\nfive'],
    ['lists items', '<ul><li> One<li>Two</ul>', '- One\n- Two'],
    ['lists items with paragraphs, and no empty ones', '<ul><li><p>One</p><li></ul>Two', '- One\n\nTwo'],
    ['shows preformatted text', '<xmp><b>1</b></xmp>', '<b>1</b>'],
    ['puts the cells of a row on one line', '<table><tr><td>A</td><td>B</td></tr><tr><td>C</table>', 'A   B\nC'],
    ['decodes entities, and keeps them text', '&lt;b&gt; &amp; &#8364;', '<b> & €'],
    ['shows the text of images', '<img src="cid:x" alt="Logo"> Shop', 'Logo Shop'],
    ['omits styles, scripts and titles', '<title>T</title><style>p{}</style><script>x</script>Hi', 'Hi'],
    ['omits hidden elements', '<div style="display: none">a<div>b</div>c</div><p hidden>d</p>e', 'e'],
    ['ends a hidden paragraph at the next one', '<p style="display:none">a<p>b<p>c', 'b\n\nc'],
    ['ends a hidden cell at the next one', '<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>', 'b\nd'],
    ['ends a hidden head at the body', '<table><thead hidden><tr><td>a<tbody><tr><td>b</table>', 'b'],
    ['ends a hidden item at the next one', '<ul><li hidden>a<ul><li>b</ul>c<li>d</ul>', '- d'],
    ['ends a hidden element with its parent', '<div><span hidden>a<b>c</b></div>d', 'd'],
    ['keeps tables in hidden cells hidden', '<table><tr><td hidden>a<table><tr><td>b</table>c<td>d</table>', 'd'],
    ['omits characters without width', 'a&zwnj;&nbsp;&zwnj;&nbsp;b', 'a b'],
    ['is empty without text', '<html><body> </body></html>', ''],
  ])('%s', (_, html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  it('takes linear time, whatever the HTML nests', () => {
    const size = 60_000;
    for (const part of [
      '<div>',
      '<b><p>x',
      '<table><tr><td>x',
      '<ul><li>',
      'a b ',
      '&nbsp;',
      '<',
      '<p hidden>',
      '<i hidden></b>',
    ]) {
      expect(typeof htmlText(part.repeat(size))).toBe('string');
    }
    expect(htmlText(`<a ${'x=1 '.repeat(size)}>ok</a>`)).toBe('ok');
  });
});
