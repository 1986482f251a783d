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
