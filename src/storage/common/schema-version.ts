/** The version of the schema that a new database starts with. Earlier versions were never released. */
export const FIRST_VERSION = 101;

/** Returns the version of the schema after these migrations. The first one creates it. */
export function lastVersion(migrations: readonly unknown[]): number {
  return FIRST_VERSION + migrations.length - 1;
}

/** Returns the migrations that a database of a version lacks; all of them for version 0, a new database. */
export function missingMigrations<T>(migrations: readonly T[], version: number): readonly T[] {
  return version === 0 ? migrations : migrations.slice(version - FIRST_VERSION + 1);
}

export interface DatabaseVersion {
  /** The database as errors name it. */
  name: string;
  version: number;
  /** The first version whose programs can use it. */
  compatibleFrom?: number;
}

/**
 * Rejects databases whose version these migrations do not lead to.
 * @param advice What to do with a database of an earlier version.
 * @throws UnusableDatabaseError with both versions.
 */
export function refuseOtherVersions(
  { name, version, compatibleFrom = version }: DatabaseVersion,
  migrations: readonly unknown[],
  advice: string,
): void {
  const last = lastVersion(migrations);
  if (version > last && compatibleFrom > last) {
    throw new UnusableDatabaseError(
      `${name} was written by a newer version of svc (schema ${version}; this version supports ${last}). Update svc.`,
    );
  }
  if (version === 0 || version >= FIRST_VERSION) return;
  throw new UnusableDatabaseError(
    `${name} was written by an earlier version of svc (schema ${version}; this version supports ${last}).`,
    {},
    advice,
  );
}

/** The database is not svc's, was written by a newer svc, or cannot be read and written. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** The next step, if the error has one of its own. */
    readonly advice: string | undefined = undefined,
  ) {
    super(message, options);
  }
}
