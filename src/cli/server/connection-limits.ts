/** Fits the number of connections to the files that the process may open. */

/** A limit with which the server accepts as many connections as it ever does. */
const ENOUGH_FILES = 4_096;
/** What a server opens besides connections of clients: its ports, the database, workers, requests to webhooks. */
const OTHER_FILES = 44;
const HTTP_SHARE = 0.4;
const CONNECTIONS_MIN = 4;

export interface ConnectionLimits {
  http: number;
  smtp: number;
}

/** Returns the connections for a limit of open files; undefined if it leaves the usual number of them. */
export function connectionLimits(fileLimit: number | undefined): ConnectionLimits | undefined {
  if (fileLimit === undefined || fileLimit >= ENOUGH_FILES) return undefined;
  const left = fileLimit - OTHER_FILES;
  const http = Math.max(CONNECTIONS_MIN, Math.floor(left * HTTP_SHARE));
  return { http, smtp: Math.max(CONNECTIONS_MIN, left - http) };
}

/** Returns the warning of a starting server; undefined if the limit is high enough. */
export function fewFilesWarning(fileLimit: number | undefined): string | undefined {
  const limits = connectionLimits(fileLimit);
  if (!limits) return undefined;
  return (
    `This process may open only ${fileLimit} files, so the server accepts at most ${limits.http} HTTP and ` +
    `${limits.smtp} SMTP connections at once. Raise the limit, for example with: ulimit -n ${ENOUGH_FILES}`
  );
}
