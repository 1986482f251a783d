import type * as z from 'zod';

/** Describes what is wrong with a value, for requests and for files. */

const typeNames: Record<string, string> = { object: 'an object', array: 'an array', int: 'a whole number' };

/** Returns the message for an issue without a message of its own; undefined to use zod's. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}
