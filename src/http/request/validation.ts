import * as z from 'zod';
import { describeIssue } from '../../contract/issues.js';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { ERROR_DETAILS_MAX } from '../../contract/vocabulary/limits.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { ServiceWarning, WarningCode } from '../../contract/vocabulary/warnings.js';

/** Validates requests with the contract's schemas. */

/**
 * Returns the output of a schema for a value.
 * @throws ServiceError with one detail for each invalid field (gap 12).
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, failure: Failure): z.output<S> {
  const result = schema.safeParse(value, { error: failure === 'bad_request' ? describeParameter : describeIssue });
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(issue));
  const first = details[0];
  const message = first ? `${first.path || 'body'}: ${first.message}` : 'The request is not valid.';
  throw new ServiceError(
    failure,
    details.length > 1 ? `${message} (and ${details.length - 1} more)` : message,
    details.slice(0, ERROR_DETAILS_MAX),
    failure === 'bad_request' ? plusHint(result.error.issues, value) : undefined,
  );
}

/** Returns advice if an invalid parameter is an address with a blank, as an unescaped plus sign becomes. */
function plusHint(issues: readonly z.core.$ZodIssue[], parameters: unknown): string | undefined {
  const values = issues.map(({ path: [name = ''] }) => (parameters as Record<PropertyKey, unknown>)[name]);
  return values.some((value) => typeof value === 'string' && /\S \S*@/.test(value))
    ? 'In a URL, + means a blank. Write a plus sign as %2B, such as ada%2Bshop@example.test.'
    : undefined;
}

/** Rejects a query that cannot be decoded: its parser would keep the invalid escape as text. */
export function refuseInvalidEscapes(url: string): void {
  try {
    decodeURIComponent(url.split('?').slice(1).join('?'));
  } catch {
    throw new ServiceError('bad_request', 'The query contains an invalid percent-encoding.');
  }
}

/** Returns the message for an issue with a parameter. A parameter that is given twice is an array of text. */
function describeParameter(issue: z.core.$ZodRawIssue): string | undefined {
  return Array.isArray(issue.input) ? 'must be given once' : describeIssue(issue);
}

/** Codes of issues that occur in a union's branch only if the value has the branch's type. */
const RIGHT_TYPE = new Set(['custom', 'too_big']);

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const { path, message } = issue;
  if (issue.code === 'invalid_union') {
    // Reports the issues of the best matching branch: "to.1: must be an address" instead of "to: invalid".
    const best = issue.errors.flat().filter((inner) => inner.path.length > 0 || RIGHT_TYPE.has(inner.code));
    if (best.length > 0) return best.flatMap((inner) => detailsOf({ ...inner, path: [...path, ...inner.path] }));
  }
  return [{ path: path.map(String).join('.'), message }];
}

/** Maximum number of unknown names to report, because finding a suggestion for each takes time. */
const UNKNOWN_NAMED = 10;

interface Unknown {
  /** The first unknown names, each with a similar known name. */
  named: { path: string; suggestion: string | undefined }[];
  /** Number of unknown names after those. */
  more: number;
}

/** Returns warnings for body fields that the contract does not define (gap 13). */
export function unknownFields(schema: z.ZodType, value: unknown): ServiceWarning[] {
  const found: Unknown = { named: [], more: 0 };
  addUnknownFields(found, schema, value, '');
  return unknownWarnings(found, 'unknown_field', 'field');
}

/** Returns warnings for query parameters that the contract does not define (gap 40). */
export function unknownParameters(schema: z.ZodObject | undefined, query: unknown): ServiceWarning[] {
  const found: Unknown = { named: [], more: 0 };
  const known = schema?.shape ?? {};
  for (const name of Object.keys(query as object)) {
    if (!Object.hasOwn(known, name)) addUnknown(found, '', name, Object.keys(known));
  }
  return unknownWarnings(found, 'unknown_parameter', 'parameter');
}

function unknownWarnings({ named, more }: Unknown, code: WarningCode, kind: string): ServiceWarning[] {
  const found = named.map(({ path, suggestion }): ServiceWarning => {
    const message = `is not a ${kind}${suggestion ? ` (did you mean ${suggestion}?)` : ''}`;
    return { code, path, message };
  });
  if (more > 0) found.push({ code, path: '', message: `${more} more ${kind}s are unknown` });
  return found;
}

function addUnknownFields(found: Unknown, schema: z.ZodType, value: unknown, path: string): void {
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
    else addUnknown(found, path, name, Object.keys(shape));
  }
}

function addUnknown(found: Unknown, path: string, name: string, known: string[]): void {
  if (found.named.length === UNKNOWN_NAMED) found.more += 1;
  else found.named.push({ path: path + shortened(name), suggestion: nearestName(name, known) });
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
