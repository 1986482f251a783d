import fc from 'fast-check';
import { type Document, resolve } from '../../support/openapi.js';

/** Generates values from JSON Schemas of an OpenAPI document: ones that fit, and ones that nearly do. */

// biome-ignore lint/suspicious/noExplicitAny: a schema is read as the JSON that it is
type Schema = any;

const MAX_ITEMS = 4;

/**
 * Text that has broken services before: control characters, lone surrogates, bidi marks, placeholders, paths, markup.
 */
export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\r\nX-Injected: 1',
    'a\nb',
    '\u2028',
    '\ud800',
    '\udfff\ud800',
    '\u202eevil',
    '🏳️‍🌈',
    'ﷺ',
    '{{name}}',
    '{{ a }}{{b',
    '{{constructor}}',
    '__proto__',
    '../../../etc/passwd',
    "'; DROP TABLE emails; --",
    '<script>alert(1)</script>',
    '%00',
    '%s%n',
    'null',
    'NaN',
    '٣',
    '1e3',
    '0x10',
    '-0',
    '９',
  ),
  fc.nat({ max: 5 }).map((power) => 'x'.repeat(10 ** power)),
);

const oddNumber = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, 1e21),
);

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

/** Generates any value. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(oddText, { maxLength: 5 }),
  fc.nat({ max: 3 }).map((power) => nested(5 ** power)),
  fc.constantFrom([], {}, [[]], [null], { length: 1e9 }, { toString: 1 }),
);

/** Generates a value of the schema, as far as a schema can say: rules that only the prose has may still refuse it. */
export function fitting(document: Document, given: Schema): fc.Arbitrary<unknown> {
  const schema = resolve<Schema>(document, given);
  const generated = generatedFor(document, schema);
  if (!schema.examples) return generated;
  return fc.oneof({ arbitrary: fc.constantFrom(...schema.examples), weight: 9 }, { arbitrary: generated, weight: 1 });
}

function generatedFor(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches: Schema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map((branch) => fitting(document, branch)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => generatedFor(document, { ...schema, type })));
  }
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -(2 ** 31),
        max: Math.min(schema.maximum ?? 2 ** 31 - 1, 2 ** 31 - 1),
      });
    case 'array':
      return fc.array(fitting(document, schema.items), { minLength: schema.minItems ?? 0, maxLength: MAX_ITEMS });
    case 'object':
      return objectFor(document, schema);
    case 'string':
      return textFor(schema);
    case 'null':
      return fc.constant(null);
    default:
      return oddValue;
  }
}

function objectFor(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  if (!schema.properties) {
    return fc.dictionary(fc.oneof(fc.constantFrom('name', 'order', 'a'), oddText), fc.oneof(fc.string(), oddValue), {
      maxKeys: 4,
      noNullPrototype: true,
    });
  }
  const fields = Object.entries<Schema>(schema.properties).map(
    ([name, field]) => [name, fitting(document, field)] as const,
  );
  // With the fields of a condition, "then" excludes fields; without them, "else" requires some.
  const excluded = (schema.then?.not.anyOf ?? []).flatMap(({ required }: Schema) => required);
  const without = { excluded: schema.if?.required ?? [], required: schema.else?.required ?? [] };
  const branches = schema.if ? [{ excluded, required: schema.if.required }, without] : [without];
  return fc.oneof(
    ...branches.map((branch) =>
      fc.record(Object.fromEntries(fields.filter(([name]) => !branch.excluded.includes(name))), {
        requiredKeys: [...(schema.required ?? []), ...branch.required],
        noNullPrototype: true,
      }),
    ),
  );
}

function textFor(schema: Schema): fc.Arbitrary<string> {
  if (schema.contentEncoding === 'base64') return fc.base64String({ maxLength: 64 });
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  const range = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 60, 60) };
  return fc.oneof(
    { arbitrary: fc.string(range), weight: 4 },
    { arbitrary: fc.string({ ...range, unit: 'grapheme' }), weight: 2 },
    { arbitrary: oddText, weight: 1 },
  );
}

/** Generates a value near another: one part of it changed, removed or added. */
export function spoilt(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const extraName = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'scheduledAt', 'to.0', '', 'hasOwnProperty'),
    oddText,
  );
  return fc
    .tuple(
      value,
      fc.infiniteStream(fc.nat({ max: 1000 })),
      oddValue,
      extraName,
      fc.constantFrom('change', 'drop', 'add'),
    )
    .map(([whole, choices, odd, name, action]) => {
      const copy = structuredClone(whole);
      const pick = (count: number) => Number(choices.next().value) % count;
      let node = copy;
      while (isContainer(node)) {
        const keys = Object.keys(node);
        if (action === 'add' && (keys.length === 0 || pick(3) === 0)) {
          if (Array.isArray(node)) node.push(odd);
          else Object.defineProperty(node, name, { value: odd, enumerable: true, configurable: true, writable: true });
          return copy;
        }
        const key = keys[pick(Math.max(keys.length, 1))];
        if (key === undefined) return copy;
        const child = node[key];
        if (isContainer(child) && Object.keys(child).length > 0 && pick(2) === 0) {
          node = child;
          continue;
        }
        if (action === 'drop') delete node[key];
        else node[key] = odd;
        return copy;
      }
      return odd;
    });
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
