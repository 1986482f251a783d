import type { ErrorDetail } from '../../../contract/vocabulary/error-detail.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Step } from '../../../core/model/outcomes.js';
import { bit as asBit, type Columns, json } from './columns.js';

/** Defines kinds of columns: how to check a value when reading it, and which value to bind when writing it. */

/** The column of one field of a record. */
export interface Column<T> {
  name: string;
  /** Reads and checks the field. @throws BadRowError if the column contains a value that svc never writes. */
  read(row: Columns): T;
  /** Returns the value to bind (default: the unchanged value). */
  write?(value: T): unknown;
}

export const text = (name: string): Column<string> => ({ name, read: (row) => row.text(name) });

export const textOrNull = (name: string): Column<string | null> => ({
  name,
  read: (row) => row.textOrNull(name),
});

export const integer = (name: string, min?: number): Column<number> => ({
  name,
  read: (row) => row.integer(name, min),
});

export const integerOrNull = (name: string, min?: number): Column<number | null> => ({
  name,
  read: (row) => row.integerOrNull(name, min),
});

/** A reference to a row's number in another table. */
export const key = (name: string): Column<number> => ({ name, read: (row) => row.key(name) });

export const number = (name: string): Column<number> => ({ name, read: (row) => row.number(name) });

export const numberOrNull = (name: string): Column<number | null> => ({
  name,
  read: (row) => row.numberOrNull(name),
});

export const instant = (name: string): Column<number> => ({ name, read: (row) => row.instant(name) });

export const instantOrNull = (name: string): Column<number | null> => ({
  name,
  read: (row) => row.instantOrNull(name),
});

export const bit = (name: string): Column<boolean> => ({ name, read: (row) => row.bit(name), write: asBit });

export const oneOf = <T extends string>(name: string, values: readonly T[]): Column<T> => ({
  name,
  read: (row) => row.oneOf(name, values),
});

export const oneOfOrNull = <T extends string>(name: string, values: readonly T[]): Column<T | null> => ({
  name,
  read: (row) => row.oneOfOrNull(name, values),
});

/** An array of text, stored as JSON. */
export const list = (name: string): Column<string[]> => ({ name, read: (row) => row.list(name), write: json });

/** The steps of an outcome, stored as JSON. */
export const stepsOrNull = (name: string): Column<Step[] | null> => ({
  name,
  read: (row) => (row.textOrNull(name) === null ? null : row.steps(name)),
  write: (value) => value && json(value),
});

/** Warnings, stored as JSON. */
export const warnings = (name: string): Column<ServiceWarning[]> => ({
  name,
  read: (row) => row.warnings(name),
  write: json,
});

/** Invalid fields of a request, stored as JSON. */
export const errorDetails = (name: string): Column<ErrorDetail[]> => ({
  name,
  read: (row) => row.records<ErrorDetail>(name, isErrorDetail),
  write: json,
});

function isErrorDetail({ path, message }: ErrorDetail): boolean {
  return typeof path === 'string' && typeof message === 'string';
}

/** An array whose items are some of the given values, stored as JSON. */
export const listOf = <T extends string>(name: string, values: readonly T[]): Column<T[]> => ({
  name,
  read: (row) => row.listOf(name, values),
  write: json,
});

/** An object whose values are text, stored as JSON. */
export const texts = (name: string): Column<Record<string, string>> => ({
  name,
  read: (row) => row.texts(name),
  write: json,
});

/** An object, stored as JSON. */
export const objectOrNull = (name: string): Column<Record<string, unknown> | null> => ({
  name,
  read: (row) => (row.textOrNull(name) === null ? null : row.object(name)),
  write: (value) => value && json(value),
});

/** An object in a record as JSON text, stored unchanged. */
export const serializedObject = (name: string): Column<string> => ({
  name,
  read: (row) => {
    // Checks the syntax, because readers parse the text and do not expect an error.
    row.object(name);
    return row.text(name);
  },
});

export const webUrl = (name: string): Column<string> => ({ name, read: (row) => row.webUrl(name) });
