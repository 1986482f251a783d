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
