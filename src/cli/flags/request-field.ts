import type { Interfaces } from '@oclif/core';

/** Declares the request field that a flag fills, next to the flag’s name, help text and parser. */

/** The part of a flag’s declaration that names its request field. */
interface RequestField<Field extends string, Result> {
  field: Field;
  /** Returns the field’s value; undefined leaves the field out. */
  toField(value: never): Result;
}

type ValueOf<Flag> = Interfaces.InferredFlags<{ value: Flag }> extends { value: infer Value } ? Value : never;

/**
 * A flag with its request field. From `parse`, TypeScript would infer that the flag is never required. With `never` as
 * its result, TypeScript infers from the other properties.
 */
type Filled<Flag, Field extends string, Result> = (Flag extends { type: 'option' }
  ? Omit<Flag, 'parse'> & { parse(...args: unknown[]): Promise<never> }
  : Flag) &
  RequestField<Field, Result>;

/** Adds a request field to a flag. `toField` converts the flag’s value where the request has another form. */
export function fills<const Field extends string, Flag, Result = NonNullable<ValueOf<Flag>>>(
  field: Field,
  flag: Flag,
  toField: (value: NonNullable<ValueOf<Flag>>) => Result = (value) => value as unknown as Result,
): Filled<Flag, Field, Awaited<Result> | Extract<ValueOf<Flag>, undefined>> {
  return { ...flag, field, toField } as never;
}

type ResultOf<Flag> = Flag extends RequestField<string, infer Result> ? Result : never;
type FieldOf<Flag, Optional extends boolean> =
  Flag extends RequestField<infer Field, unknown>
    ? undefined extends ResultOf<Flag>
      ? Optional extends true
        ? Field
        : never
      : Optional extends true
        ? never
        : Field
    : never;

/** The request fields that the flags fill. */
export type RequestFields<Flags> = {
  [Name in keyof Flags as FieldOf<Flags[Name], false>]: ResultOf<Flags[Name]>;
} & {
  [Name in keyof Flags as FieldOf<Flags[Name], true>]?: Exclude<ResultOf<Flags[Name]>, undefined>;
};

/** Returns the request fields of the flags that have a value. Reads the files that the flags name. */
export async function requestFields<Flags extends object>(
  declared: Flags,
  values: { [Name in keyof Flags]?: unknown },
): Promise<RequestFields<Flags>> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(declared) as (keyof Flags)[]) {
    const { field, toField } = declared[name] as Partial<RequestField<string, unknown>>;
    const value = values[name];
    if (field === undefined || toField === undefined || value === undefined) continue;
    const result = await toField(value as never);
    if (result !== undefined) fields[field] = result;
  }
  return fields as RequestFields<Flags>;
}

/** Returns the names, without dashes, of the flags that fill a request field. */
export function flagsFilling(declared: Record<string, { field?: string }>, field: string): string[] {
  return Object.keys(declared).filter((name) => declared[name]?.field === field);
}
