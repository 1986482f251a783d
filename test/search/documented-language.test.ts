import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fieldNames, formOf } from '../../src/contract/vocabulary/query/fields.js';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';

const page = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');

/** Returns the rows of the table below a heading. */
function rowsBelow(heading: string): string[] {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

const kinds = {
  text: 'Text',
  address: 'Address',
  name: 'Name',
  word: 'Word',
  time: 'Time',
  size: 'Size',
  header: '`NAME` or `NAME=TEXT`',
};

describe('docs/search.md', () => {
  it('has every field with its description and example', () => {
    expect(rowsBelow('Fields')).toEqual(
      fieldNames.map((name) => {
        const { kind, description, example } = formOf(name);
        return `| \`${name}:\` | ${kinds[kind]} | ${description} | \`${example}\` |`;
      }),
    );
  });

  it('has the words of fields that its examples use', () => {
    expect(page).toContain(
      `one of \`${(formOf('has').words ?? []).join('`, `').replace('`, `warning', '` and `warning')}\``,
    );
  });

  it('has operators that the parser reads', () => {
    const queries = rowsBelow('Operators').map((row) => row.split('`')[1] ?? '');
    expect(queries).toHaveLength(5);
    for (const query of queries) expect(parseQuery(query)).toBeDefined();
  });

  it('has the errors that the parser reports', () => {
    const rows = rowsBelow('Limits').map((row) => row.split('`'));
    expect(rows).toHaveLength(2);
    for (const [, query = '', , error] of rows) expect(() => parseQuery(query)).toThrow(error);
  });
});
