import { portablePattern } from './portable-pattern.js';
import type { JsonSchema } from './schemas.js';

/**
 * Rewrites schemas to forms that code generators for many languages read. They accept the same values, except that a
 * constant true or false becomes a boolean.
 */

type Components = Record<string, JsonSchema>;

/** Keywords with one schema, and with a list of schemas. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const SEVERAL = ['anyOf', 'oneOf', 'allOf'];

/** Returns a schema in portable form. `components` are the schemas to which it refers. */
export function portableSchema(schema: JsonSchema, components: Components): JsonSchema {
  const inner = (value: unknown) => (isSchema(value) ? portableSchema(value, components) : value);
  const entries = Object.entries(withoutConstant(withoutAlternatives(schema, components))).map(([key, value]) => {
    if (key === 'pattern') return [key, portablePattern(value as string)];
    if (key === 'properties')
      return [key, mapValues(value as Components, (each) => describedDefault(portableSchema(each, components)))];
    if (ONE.includes(key)) return [key, inner(value)];
    return [key, SEVERAL.includes(key) ? (value as unknown[]).map(inner) : value];
  });
  return Object.fromEntries(entries);
}

export function mapValues<From, To>(object: Record<string, From>, convert: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}

/** Replaces the alternative to null by a type, and says of alternatives with different types that one applies. */
function withoutAlternatives(schema: JsonSchema, components: Components): JsonSchema {
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] };
  if (!anyOf) return schema;
  const resolved = anyOf.map((each) => target(each, components));
  const value = resolved.find(({ type }) => type !== 'null');
  if (value && resolved.length === 2 && resolved.some(({ type }) => type === 'null')) {
    const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
    return { ...value, ...rest, type: [value.type, 'null'].flat(), ...values };
  }
  const isExclusive = new Set(resolved.map(({ type }) => type)).size === anyOf.length;
  return isExclusive ? { oneOf: anyOf, ...rest } : schema;
}

/** Removes a constant that is not text. Generators compare it as text, or give it the type of text. */
function withoutConstant(schema: JsonSchema): JsonSchema {
  if (schema.const === undefined || typeof schema.const === 'string') return schema;
  const { const: value, ...rest } = schema;
  return typeof value === 'number' ? { ...rest, minimum: value, maximum: value } : rest;
}

function target(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...components[$ref.slice($ref.lastIndexOf('/') + 1)], ...rest };
}

/** Moves the default of a property to its description: for some generators, a default makes the property required. */
function describedDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  const description = [schema.description ?? [], `Default: ${JSON.stringify(value)}.`].flat().join(' ');
  return { ...schema, description };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
