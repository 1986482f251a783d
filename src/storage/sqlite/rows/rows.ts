/** Converts values for columns. */

export const bit = (value: boolean): number => (value ? 1 : 0);

export const json = (value: unknown): string => JSON.stringify(value);

export type Row = Record<string, unknown>;

/** Runs an INSERT or UPDATE. Returns false if it would violate a UNIQUE constraint. */
export function falseOnConflict(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE') return false;
    throw error;
  }
}
