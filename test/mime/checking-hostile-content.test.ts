import { describe, expect, it } from 'vitest';
import { checkContent } from '../../src/mime/checks/check-content.js';

const check = (html: string) => checkContent({ subject: 'Hi', text: '', html, headers: [], files: [] });
const findingOf = (html: string, id: string) => check(html).findings.find((each) => each.id === id);

/** Far more than any of these takes, and far less than each took. */
const TIME_LIMIT_MS = 20_000;

describe('checks of hostile HTML', () => {
  it('read a rule with 125,000 selectors', () => {
    const html = `<style>${'.a,'.repeat(125_000)}p{color:#999}</style><p>Gray</p>`;
    expect(findingOf(html, 'contrast')).toMatchObject({ passed: false, count: 1 });
  });

  it(
    'read 300,000 hidden texts',
    () => {
      const html = `<div hidden>${'x<br>'.repeat(300_000)}</div><p>Hello</p>`;
      expect(findingOf(html, 'preheader')?.passed).toBe(true);
    },
    TIME_LIMIT_MS,
  );

  it(
    'pass no check of elements if they did not read all of them',
    () => {
      const html = `${'<p>Hello</p>'.repeat(60_000)}<script>run()</script><img src="a.png">`;
      const passed = check(html).findings.filter((each) => each.passed);
      expect(passed.map(({ id }) => id)).toEqual(['placeholders']);
      expect(findingOf(html, 'active-content')).toMatchObject({
        passed: null,
        details: expect.stringContaining('Only the first 50,000 elements are checked.'),
      });
    },
    TIME_LIMIT_MS,
  );

  it.each([
    ['selectors in a style sheet', `<style>${':not('.repeat(600)}p${')'.repeat(600)}{color:red}</style><p>Hello</p>`],
    ['brackets in a style', `<p style="color:${'('.repeat(1_500)}">Hello</p>`],
    ['brackets in brackets', `<p style="width:${'calc('.repeat(5_000)}1px${')'.repeat(5_000)}">Hello</p>`],
  ])('leave out deeply nested %s', (_, html) => {
    expect(findingOf(html, 'html-support')?.passed).not.toBeNull();
  });

  it.each([
    ['long rules', `<style>${'*,'.repeat(2_000)}*{${'color:red;'.repeat(400)}}</style>${'<p>a'.repeat(1_900)}`],
    ['a long value', `<style>${'*,'.repeat(1_500)}*{x:${'a '.repeat(2_500)}}</style>${'<p>a'.repeat(1_900)}`],
    ['many rules', `<style>${'*{color:red}'.repeat(30_000)}</style>${'<p>a'.repeat(40_000)}`],
  ])(
    'compare %s with many elements up to a limit',
    (_, html) => {
      expect(findingOf(html, 'html-support')?.passed).not.toBeNull();
    },
    TIME_LIMIT_MS,
  );
});
