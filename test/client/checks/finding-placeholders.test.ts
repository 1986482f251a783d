import { describe, expect, it } from 'vitest';
import type { CheckedEmail } from '../../../src/client/checks/check.js';
import { checkNoPlaceholders } from '../../../src/client/checks/content.js';

const empty: CheckedEmail = {
  subject: '',
  text: '',
  html: '',
  html_text: '',
  links: [],
  codes: [],
  attachments: [],
  size: 0,
};
const check = (parts: Partial<CheckedEmail>) => checkNoPlaceholders({ ...empty, ...parts });

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are placeholders
describe('a check for placeholders', () => {
  it.each([
    ['Hello {{name}}', '{{name}}'],
    ['Hello {{{ name }}}', '{{{ name }}}'],
    ['{% if paid %}Thanks', '{% if paid %}'],
    ['Hello <%= name %>', '<%= name %>'],
    ['Hello ${user.name}', '${user.name}'],
    ['Hello %{name}', '%{name}'],
    ['Hello #{name}', '#{name}'],
    ['Hello *|FNAME|*', '*|FNAME|*'],
    ['Hello [object Object]', '[object Object]'],
    ['Hello undefined,', 'undefined'],
    ['Your balance is undefined.', 'undefined'],
    ['Your plan is “undefined”', 'undefined'],
    ['Total: NaN EUR', 'NaN'],
    ['Expires: Invalid Date', 'Invalid Date'],
    ['Hello %s', '%s'],
    ['Hello %1$s, you have %d points', '%1$s'],
    ['Hello %(name)s', '%(name)s'],
    ['Total: %.2f EUR', '%.2f'],
  ])('finds a left-over in %j', (text, value) => {
    for (const parts of [{ subject: text }, { text }, { html: `<p>${text.replace('<', '&lt;')}</p>` }]) {
      const { passed, message } = check(parts);
      expect({ passed, message }).toEqual({ passed: false, message: expect.stringContaining(value) });
    }
  });

  it.each([
    'Save 50% today, 20%',
    '100%sure',
    '20% d. Umsatzes, 5%f',
    'Behaviour that is undefined behaviour in C',
    'An undefined variable was found; cannot read properties of undefined',
    'undefined-behaviour, undefinedName',
    'Nandos and Nan, null Euro, nil',
    'Costs $5 {net} and #1 {top}',
    'a {b} c, { { spaced } }, closed}}, {{unclosed',
    'https://example.test/%d0%bf%D1%80?x=%E2%82%AC',
    'object Object, [object], [objects]',
  ])('accepts %j', (text) => {
    expect(check({ subject: text, text, html: `<p>${text}</p>` }).message).toBe('found none');
  });

  it('looks at hidden text, titles and attributes, but not at styles, scripts and code', () => {
    const html = [
      '<style>@media print{a{{color:red}}} .x{content:"undefined"}</style><script>let a = undefined</script>',
      '<div style="display:none">{{preheader}}</div>',
      '<a href="https://example.test/{{path}}" title="{{title}}">x</a>',
      '<p>Write <code>{{ name }}</code> in a template.</p>',
    ].join('\n');
    const { message } = check({ html, text: 'Write {{ name }} in a template.' });
    expect(message).toContain('{{preheader}} in the HTML');
    expect(message).toContain('{{path}} in a link');
    expect(message).toContain('{{title}} in an attribute title');
    expect(message).not.toMatch(/undefined|\{\{ name|color/);
  });

  it.each([
    ['https://example.test/verify?token=undefined&x=1', 'undefined'],
    ['https://example.test/users/undefined/edit', 'undefined'],
    ['https://example.test/?id=null', 'null'],
    ['https://example.test/a/NaN', 'NaN'],
    ['https://example.test/?q=%5Bobject%20Object%5D', '[object Object]'],
    ['https://example.test/%7B%7Btoken%7D%7D', '{{token}}'],
  ])('finds a missing value in the link %s', (href, value) => {
    const { passed, message } = check({ links: [{ text: 'x', href, kind: 'other' }] });
    expect({ passed, message }).toEqual({ passed: false, message: expect.stringContaining(`${value} in a link`) });
  });

  it('lists each left-over once per part', () => {
    const { message } = check({ subject: '{{a}} {{a}}', text: '{{a}}' });
    expect(message).toBe('found {{a}} in the subject: "{{a}} {{a}}"; {{a}} in the text');
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are placeholders
