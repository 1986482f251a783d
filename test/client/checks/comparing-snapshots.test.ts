import { describe, expect, it } from 'vitest';
import { snapshotDiff, snapshotOf } from '../../../src/client/checks/snapshot.js';

const snapshot = (html: string, codes: string[] = [], text = '') =>
  snapshotOf({ html, text, codes: codes.map((value) => ({ value, context: '', confidence: 1 })) });

describe('a snapshot of an email', () => {
  it('is equal for HTML that differs in the order of attributes and in white space', () => {
    const one = snapshot('<table class="a  b" id="x"><tr><td>Hello   <b>Ada</b>,\n welcome!</td></tr></table>');
    const other = snapshot(
      "<TABLE id='x' class='a b'>\n  <tr>\n    <td>\n      Hello <b>Ada</b>, welcome!\n    </td></tr>\n</table>\n",
    );
    expect(one).toBe(
      [
        '<table class="a b" id="x">',
        '  <tr>',
        '    <td>',
        '      Hello <b>Ada</b>, welcome!',
        '    </td>',
        '  </tr>',
        '</table>',
        '',
      ].join('\n'),
    );
    expect(other).toBe(one);
  });

  it('keeps differences that a reader sees', () => {
    const html = '<p style="color: red;">Hello <b>Ada</b> &lt;3 &amp;</p><img src="/a.png" alt="A">';
    const changed = [
      html.replace('red', 'blue'),
      html.replace('Hello <b>', 'Hello<b>'),
      html.replace('Ada', 'Eve'),
      html.replace('&lt;3', '3'),
      html.replace('a.png', 'b.png'),
      html.replace('<p', '<div').replace('</p', '</div'),
    ];
    for (const each of changed) expect(snapshot(each), each).not.toBe(snapshot(html));
  });

  it('replaces IDs, tokens, codes, times and ports', () => {
    const html = (id: string, token: string, code: string, port: number, time: string) =>
      [
        `<p data-id="${id}">Your code is <b>${code.slice(0, 3)} ${code.slice(3)}</b> (${code}), ${time}</p>`,
        `<a href="http://127.0.0.1:${port}/verify/${token}?next=/home&amp;token=${token}">Verify</a>`,
        `<a href="https://example.test/t/c/1.${id.slice(4)}.0.0~Q2hhbmdlZCBieSBzdmM">Terms</a> msg ${id}`,
      ].join('');
    const one = html('msg_01k9m3v5w7x9y1z3a5b7c9d1e3', '5f0c2a9b7e4d1c3b', '482913', 8025, '2026-03-02T09:30:00Z');
    const other = html('msg_01kb7qz8m2n4p6r8t0v2x4z6a8', '9e1d7c5b3a2f4e6d', '105577', 41234, '2026-11-22T18:00:01Z');
    expect(snapshot(one, ['482913'])).toBe(snapshot(other, ['105577']));
    expect(snapshot(one, ['482913'])).toContain(
      '<a href="http://127.0.0.1:[port]/verify/[token]?next=/home&amp;token=[token]">Verify</a>',
    );
    expect(snapshot(one, ['482913'])).toContain('<b>[code]</b> ([code]), [time]');
  });

  it('keeps readable URLs, and hosts and ports that are not of this machine', () => {
    const url = 'https://shop.example.test:8443/spring-sale-2026/items/1042?page=2&amp;sort=price_asc#reviews';
    expect(snapshot(`<a href="${url}">x</a>`)).toBe(`<a href="${url}">x</a>\n`);
  });

  it('is the text of an email without HTML', () => {
    expect(snapshot('', ['4829'], 'Code:  4829\r\n\r\n\r\n\r\nhttp://localhost:4711/a?t=1\n')).toBe(
      'Code: [code]\n\nhttp://localhost:[port]/a?t=[token]\n',
    );
  });

  it('survives HTML with missing end tags, comments and Outlook’s conditions', () => {
    const html = '<!doctype html><!-- build 77 --><ul><li>a<li>b</ul></p><!--[if mso]><i>x</i><![endif]-->end';
    expect(snapshot(html)).toBe(
      [
        '<!doctype html>',
        '<ul>',
        '  <li>',
        '    a',
        '    <li>',
        '      b',
        '</ul>',
        '</p>',
        '<!--[if mso]><i>x</i><![endif]-->',
        'end',
        '',
      ].join('\n'),
    );
  });

  it('takes linear time for hostile HTML', () => {
    const html = `${'<div>'.repeat(50_000)}${'</p></div>'.repeat(50_000)}`;
    expect(snapshot(html).split('\n')).toHaveLength(150_001);
  });
});

describe('the diff of two snapshots', () => {
  it('is a unified diff from the snapshot to the email', () => {
    const diff = snapshotDiff('<p>\n  Hello Ada\n</p>\n', '<p>\n  Hello Eve\n</p>\n', 'a.html');
    expect(diff).toContain('-  Hello Ada\n+  Hello Eve\n');
    expect(diff).toContain('--- a.html\tsnapshot\n+++ a.html\temail\n');
  });

  it('ignores line breaks at the end, and those of Windows', () => {
    expect(snapshotDiff('<p>\r\n</p>', '<p>\n</p>\n', 'a.html')).toBeUndefined();
  });
});
