import { z } from 'zod';
import { type ErrorDetail, type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { ERROR_DETAILS_MAX } from '../../contract/vocabulary/limits.js';

/** Requests are read through the contract's schemas. */

/**
 * The value as its schema gives it back.
 * @throws ServiceError with one detail a refused field (decision 12).
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, failure: Failure): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(issue));
  const first = details[0];
  const message = first ? `${first.path || 'body'}: ${first.message}` : 'The request is not valid.';
  throw new ServiceError(
    failure,
    details.length > 1 ? `${message} (and ${details.length - 1} more)` : message,
    details.slice(0, ERROR_DETAILS_MAX),
  );
}

/** Issues of a branch that is right in its type. */
const FINAL = new Set(['custom', 'too_big']);

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const path = issue.path.map(String).join('.');
  // Of a union, the branch that came furthest speaks: "to.1: must be one address" and not "to: invalid".
  if (issue.code === 'invalid_union') {
    const deepest = issue.errors.flat().filter((inner) => inner.path.length > 0 || FINAL.has(inner.code));
    if (deepest.length > 0)
      return deepest.flatMap((inner) => detailsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path, message: messageOf(issue) }];
}

const typeNames: Record<string, string> = { object: 'an object', array: 'an array', int: 'a whole number' };

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    // An issue does not carry its input, only its message says that there was none.
    if (issue.message.endsWith('received undefined')) return 'is required';
    return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
    return issue.message.startsWith('Too ') ? `must be ${bound}` : issue.message;
  }
  return issue.message;
}

/** How many unknown fields are named; looking for what each one may mean takes time. */
const UNKNOWN_FIELDS_NAMED = 100;

interface UnknownFields {
  /** The first ones, each with a suggestion where one is near. */
  fields: { path: string; advice: string }[];
  /** How many follow. */
  more: number;
}

/** Body fields that the contract does not have. Decision 13: they are ignored, and named. */
export function unknownFields(schema: z.ZodType, value: unknown): UnknownFields {
  const found: UnknownFields = { fields: [], more: 0 };
  addUnknownFields(found, schema, value, '');
  return found;
}

function addUnknownFields(found: UnknownFields, schema: z.ZodType, value: unknown, path: string): void {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      addUnknownFields(found, inner.element as z.ZodType, item, `${path}${index}.`);
    }
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return;
  const shape = inner.shape as Record<string, z.ZodType>;
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known) addUnknownFields(found, known, field, `${path}${name}.`);
    else if (found.fields.length === UNKNOWN_FIELDS_NAMED) found.more += 1;
    else {
      const nearest = nearestName(name, Object.keys(shape));
      found.fields.push({ path: path + shortened(name), advice: nearest ? ` (did you mean ${nearest}?)` : '' });
    }
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
