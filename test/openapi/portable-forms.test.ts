import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlDocument } from '../../src/contract/openapi/control-document.js';
import { portablePattern } from '../../src/contract/openapi/portable-pattern.js';
import { serviceDocument, strictDocument } from '../../src/contract/openapi/service-document.js';
import { linePattern, NO_CONTROL_CHARACTER, TRIMMED, VISIBLE_CHARACTER } from '../../src/contract/vocabulary/text.js';
import type { Document } from '../support/openapi.js';

const OPTIONS = { version: '0.0.0', server: { url: 'https://api.example.test/v1', description: 'The service' } };
const documents: [string, object][] = [
  ['the service', serviceDocument(OPTIONS)],
  ['a strict server', strictDocument(serviceDocument(OPTIONS))],
  ['the control API', controlDocument(OPTIONS)],
];

/** Returns every schema in a part of the document, with its position. */
function schemasIn(node: Document, at = ''): [at: string, schema: Document][] {
  if (typeof node !== 'object' || node === null || /\/(?:examples?|enum)$/.test(at)) return [];
  const inner = Object.entries(node).flatMap(([key, value]) => schemasIn(value, `${at}/${key}`));
  return Array.isArray(node) || at.endsWith('/properties') ? inner : [[at, node], ...inner];
}

describe.each(documents)('the document of %s', (_name, document) => {
  const schemas = schemasIn(document);
  const patterns = [...new Set(schemas.map(([, { pattern }]) => pattern).filter((each) => typeof each === 'string'))];

  it('has no schema in a form that generators misread', () => {
    for (const [at, { anyOf = [], allOf, const: constant, properties = {} }] of schemas) {
      expect(allOf, at).toBeUndefined();
      expect(constant ?? '', at).toBeTypeOf('string');
      expect(anyOf, at).not.toContainEqual(expect.objectContaining({ type: 'null' }));
      for (const [name, schema] of Object.entries<Document>(properties)) {
        expect(schema, `${at}/${name}`).toBeTypeOf('object');
        expect(schema, `${at}/${name}`).not.toHaveProperty('default');
      }
    }
  });

  it('has a named schema for each JSON response', () => {
    for (const [at, { content }] of schemas.filter(([at]) => /\/responses\/\w+$/.test(at))) {
      const json = content?.['application/json'];
      if (json) expect(json.schema, at).toHaveProperty('$ref');
    }
  });

  it('has patterns that Python reads', () => {
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pPsSdDwWu]|\(\?[^:]/);
    const program = 'import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)';
    execFileSync('python3', ['-W', 'error', '-c', program], { input: JSON.stringify(patterns) });
  });

  it('has patterns that mean the same with and without the flag for Unicode', () => {
    for (const pattern of patterns) {
      const [unicode, plain] = [new RegExp(pattern, 'u'), new RegExp(pattern)];
      for (const text of fc.sample(texts, 50)) expect(plain.test(text), pattern).toBe(unicode.test(text));
    }
  });
});

/** Characters of each kind that the rules about text name. */
const texts = fc.string({
  unit: fc.constantFrom(...'aA1@.,-_/\\"<>* \t\n\u0000\u0085\u00a0\u00ad\u2028\u200b\ufeff\u3000é中'),
  maxLength: 8,
});

describe('a portable pattern', () => {
  it.each([NO_CONTROL_CHARACTER, VISIBLE_CHARACTER, /^\S[^"]*\S$/u, /^\w+\s*[^\d[]?$/u])(
    'matches what %s matches',
    (pattern) => {
      const portable = new RegExp(portablePattern(pattern.source), 'u');
      fc.assert(fc.property(texts, (text) => portable.test(text) === pattern.test(text)));
    },
  );

  it.each([{}, { without: ',' }, { trimmed: true }, { without: ',', trimmed: true }])('joins the rules %j', (rules) => {
    const portable = new RegExp(portablePattern(linePattern(rules)), 'u');
    const follows = (text: string) =>
      [NO_CONTROL_CHARACTER, VISIBLE_CHARACTER, rules.trimmed ? TRIMMED : /^/].every((rule) => rule.test(text)) &&
      !(rules.without && text.includes(rules.without));
    fc.assert(
      fc.property(texts, (text) => portable.test(text) === follows(text)),
      { examples: [['\ufeffa'], ['\u200b a'], ['a\u200b']] },
    );
  });

  it('does not exist for an escape that engines read differently', () => {
    expect(() => portablePattern(String.raw`\bword`)).toThrow(String.raw`no portable form of \b`);
  });
});
