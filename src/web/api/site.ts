/** Returns the path below which a proxy serves this server, such as `/mail`; empty for none. */
export function basePath(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=svc-base]')?.content ?? '';
}

/** Returns the server's URL, with its base path and without a slash at its end. */
export function siteUrl(): string {
  return location.origin + basePath();
}

/** Responses to requests that the page's first script has sent, for the main script, which is loaded meanwhile. */

declare global {
  interface Window {
    svcEarlyResponses?: Map<string, Promise<Response>>;
  }
}

const keyOf = (method: string, url: string) => `${method} ${url}`;

export function keepEarlyResponse(method: string, url: string, response: Promise<Response>): void {
  // The main script reports a failure when it takes the response.
  response.catch(() => {});
  window.svcEarlyResponses ??= new Map();
  window.svcEarlyResponses.set(keyOf(method, url), response);
}

/** Returns the response to a request that was sent early, once; undefined if it was not. */
export function takeEarlyResponse(method: string, url: string): Promise<Response> | undefined {
  const response = window.svcEarlyResponses?.get(keyOf(method, url));
  window.svcEarlyResponses?.delete(keyOf(method, url));
  return response;
}

/** Removes those that are left: later, they would be out of date. */
export function dropEarlyResponses(): void {
  delete window.svcEarlyResponses;
}

/** Returns the part of an address with these parameters, such as `?state=failed`. Empty ones are left out. */
export function queryOf(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}
