/** Converts values for columns. */

export const bit = (value: boolean): number => (value ? 1 : 0);

export const json = (value: unknown): string => JSON.stringify(value);

export type Row = Record<string, unknown>;
