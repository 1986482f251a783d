/** Converts JSON Schema, as the contract's schemas become it, to types of TypeScript. */

/**
 * Returns the type of a schema. `loose` is for parameters, which the client converts to text: a number or its text.
 * `optional` makes every property optional.
 */
export function typeOf(schema, options = {}) {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each }, options)));
  if (type !== undefined) return simpleType(schema, options);
  if (anyOf ?? oneOf) return union((anyOf ?? oneOf).map((each) => typeOf(each, options)));
  if (allOf) return allOf.map((each) => bracketed(typeOf(each, options))).join(' & ');
  return 'unknown';
}

/** Returns a comment, with a line break after it; nothing for no text. */
export function comment(text, indent = '') {
  return text ? `${indent}/** ${text} */\n` : '';
}

function simpleType(schema, options) {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return options.loose ? 'number | string' : 'number';
    case 'boolean':
      return options.loose ? "'true' | 'false'" : 'boolean';
    case 'array':
      return `${bracketed(typeOf(schema.items ?? true, options))}[]`;
    case 'object':
      return objectType(schema, options);
    default:
      return schema.type;
  }
}

function objectType({ properties = {}, required = [], additionalProperties }, options) {
  const indent = options.indent ?? '';
  const inner = { ...options, indent: `${indent}  ` };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = options.optional || !required.includes(name);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = `${isOptional ? '?' : ''}: ${typeOf(schema, inner)}${isOptional ? ' | undefined' : ''}`;
    return `${comment(schema.description, inner.indent)}${inner.indent}${key}${type};\n`;
  });
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  return `Record<string, ${typeOf(additionalProperties ?? true, inner)}>`;
}

function bracketed(type) {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function union(types) {
  return [...new Set(types)].join(' | ');
}
