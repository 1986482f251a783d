import type { ControlOperations, ServiceOperations } from './operations.js';

/** Defines the client that `svc-cli/client` and the test kit offer. */

export interface ClientSettings {
  /** Ends with the version: `http://127.0.0.1:8025/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Sends the requests, such as a `fetch` that uses a proxy (default: `node:http`). */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The parameters, the query and the body of a call; optional where nothing is required. */
export type Request<Parts> = object extends Parts ? [request?: Parts] : [request: Parts];

export interface ServiceClient {
  readonly baseUrl: string;
  /**
   * Calls an endpoint of the service and returns its `data`, for example `call('emails.get', { params: { id } })`.
   * @throws ApiFailure when the server refuses or fails; UnreachableError when it does not respond.
   */
  call<Name extends keyof ServiceOperations>(
    name: Name,
    ...request: Request<ServiceOperations[Name]['request']>
  ): Promise<ServiceOperations[Name]['result']>;
  /**
   * Calls an endpoint of the local server's control API, for example `control('clock.advance', { body: { by: '2h' } })`.
   * @throws NoControlError when the server has none; else as `call` does.
   */
  control<Name extends keyof ControlOperations>(
    name: Name,
    ...request: Request<ControlOperations[Name]['request']>
  ): Promise<ControlOperations[Name]['result']>;
  /**
   * Downloads content of the local server that is not JSON, for example `download('emails.raw', { params: { id } })`.
   * @throws as `control` does.
   */
  download<Name extends Downloadable>(name: Name, request: ControlOperations[Name]['request']): Promise<Uint8Array>;
}

/** The operations of the control API that return content. */
export type Downloadable = 'emails.attachment' | 'emails.delivered_html' | 'emails.raw' | 'emails.text' | 'export';
