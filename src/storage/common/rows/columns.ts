import { INSTANT_MAX, INSTANT_MIN } from '../../../contract/vocabulary/instants.js';
import { type StepName, stepNames } from '../../../contract/vocabulary/outcomes.js';
import { type ServiceWarning, type WarningCode, warningCodes } from '../../../contract/vocabulary/warnings.js';
import type { Step } from '../../../core/model/outcomes.js';

/** A row contains a value that svc never writes: it was edited, imported, or damaged. */
export class BadRowError extends Error {
  override readonly name = 'BadRowError';
}

/** The position of each column in the rows of a query. */
export type Positions = ReadonlyMap<string, number>;

export function positionsOf(names: readonly string[]): Positions {
  return new Map(names.map((name, position) => [name, position]));
}

/** Reads a row's columns and checks each against what svc writes. Every method that reads a column throws BadRowError. */
export class Columns {
  constructor(
    private readonly positions: Positions,
    private readonly values: readonly unknown[],
  ) {}

  static of(row: Row): Columns {
    return new Columns(positionsOf(Object.keys(row)), Object.values(row));
  }

  toRow(): Row {
    return Object.fromEntries([...this.positions].map(([name, position]) => [name, this.values[position]]));
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== 'string') throw bad(name, 'is not text');
    return value;
  }

  textOrNull(name: string): string | null {
    return this.value(name) === null ? null : this.text(name);
  }

  integer(name: string, min: number = Number.MIN_SAFE_INTEGER): number {
    const value = this.value(name) as number;
    if (!Number.isSafeInteger(value) || value < min) throw bad(name, 'is not a valid number');
    return value;
  }

  integerOrNull(name: string, min?: number): number | null {
    return this.value(name) === null ? null : this.integer(name, min);
  }

  /** Reads a row number, from 1 to the largest integer that JavaScript represents exactly. */
  key(name: string): number {
    return this.integer(name, 1);
  }

  number(name: string): number {
    const value = this.value(name) as number;
    if (!Number.isFinite(value)) throw bad(name, 'is not a valid number');
    return value;
  }

  numberOrNull(name: string): number | null {
    return this.value(name) === null ? null : this.number(name);
  }

  instant(name: string): number {
    const value = this.value(name) as number;
    if (!Number.isSafeInteger(value) || value < INSTANT_MIN || value > INSTANT_MAX) {
      throw bad(name, 'is not an instant from 1970 to 9999');
    }
    return value;
  }

  instantOrNull(name: string): number | null {
    return this.value(name) === null ? null : this.instant(name);
  }

  bit(name: string): boolean {
    const value = this.value(name);
    if (value !== 0 && value !== 1) throw bad(name, 'is neither 0 nor 1');
    return value === 1;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.value(name) as T;
    if (!values.includes(value)) throw bad(name, `is not one of ${values.join(', ')}`);
    return value;
  }

  oneOfOrNull<T extends string>(name: string, values: readonly T[]): T | null {
    return this.value(name) === null ? null : this.oneOf(name, values);
  }

  json(name: string): unknown {
    try {
      return JSON.parse(this.text(name));
    } catch {
      throw bad(name, 'is not JSON');
    }
  }

  /** Reads a JSON object. */
  object(name: string): Record<string, unknown> {
    const value = this.json(name);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(name, 'is not a JSON object');
    return value as Record<string, unknown>;
  }

  /** Reads a JSON object whose values are text. */
  texts(name: string): Record<string, string> {
    const value = this.object(name);
    if (!Object.values(value).every((each) => typeof each === 'string'))
      throw bad(name, 'contains a value that is not text');
    return value as Record<string, string>;
  }

  /** Reads a JSON array of text. */
  list(name: string): string[] {
    const value = this.json(name);
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
      throw bad(name, 'is not a JSON array of text');
    }
    return value;
  }

  /** Reads a JSON array whose items are some of the given values. */
  listOf<T extends string>(name: string, values: readonly T[]): T[] {
    const value = this.list(name) as T[];
    if (!value.every((each) => values.includes(each))) throw bad(name, 'contains an unknown value');
    return value;
  }

  /** Reads a JSON object that is valid. */
  record<T extends object>(name: string, isValid: (record: T) => boolean): T {
    const value = this.object(name) as T;
    if (!isValid(value)) throw bad(name, 'is not a valid record');
    return value;
  }

  /** Reads a JSON array of records. */
  records<T>(name: string, isValid: (record: T) => boolean): T[] {
    const value = this.json(name);
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'object' && each !== null && isValid(each))) {
      throw bad(name, 'is not a JSON array of records');
    }
    return value;
  }

  /** Reads a JSON array of warnings. */
  warnings(name: string): ServiceWarning[] {
    const value = this.json(name);
    if (!Array.isArray(value) || !value.every(isWarning)) throw bad(name, 'is not a JSON array of warnings');
    return value;
  }

  /** Reads a JSON array with at least one step. */
  steps(name: string): Step[] {
    const value = this.json(name);
    if (!Array.isArray(value) || value.length === 0 || !value.every(isStep))
      throw bad(name, 'is not a JSON array of steps');
    return value;
  }

  /** Reads an http or https URL, and returns it unchanged. */
  webUrl(name: string): string {
    const value = this.text(name);
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw bad(name, 'is not an http(s) URL');
    return value;
  }

  bytes(name: string): Buffer {
    const value = this.value(name);
    if (!Buffer.isBuffer(value)) throw bad(name, 'is not bytes');
    return value;
  }

  private value(name: string): unknown {
    return this.values[this.positions.get(name) ?? -1];
  }
}

function bad(name: string, problem: string): BadRowError {
  return new BadRowError(`${name} ${problem}`);
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null) return false;
  const { name, afterMs } = value as Record<string, unknown>;
  return stepNames.includes(name as StepName) && Number.isSafeInteger(afterMs);
}

function isWarning(value: unknown): value is ServiceWarning {
  if (typeof value !== 'object' || value === null) return false;
  const { code, path, message } = value as Record<string, unknown>;
  return warningCodes.includes(code as WarningCode) && typeof path === 'string' && typeof message === 'string';
}

export type Row = Record<string, unknown>;

/** Converts values for columns. */

export const bit = (value: boolean): number => (value ? 1 : 0);

export const json = (value: unknown): string => JSON.stringify(value);
