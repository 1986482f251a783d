import { isLoopback } from '../contract/vocabulary/parsers/loopback.js';
import { DEFAULT_HTTP_PORT, SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import type { ListenAddress } from './app.js';

/** The addresses of the running server. Before it listens, and in a process that never listens, they are the defaults. */
export class Addresses {
  #baseUrl: string | undefined;
  #smtp: ListenAddress | null = null;
  #isLocal = true;

  constructor(private readonly externalUrl: string | undefined) {}

  /** Sets the addresses that the server is bound to, and the host that HTTP listens on. */
  bind(baseUrl: string, smtp: ListenAddress, host: string): void {
    this.#isLocal = isLoopback(host);
    this.#baseUrl = baseUrl;
    this.#smtp = smtp;
  }

  get baseUrl(): string {
    return this.#baseUrl ?? SERVICE_PREFIX;
  }

  /** Whether only this machine can connect. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  get smtp(): ListenAddress | null {
    return this.#smtp;
  }

  /** Returns the base URL of tracking links, without a slash at the end. */
  get publicUrl(): string {
    if (this.externalUrl !== undefined) return this.externalUrl;
    return this.#baseUrl?.slice(0, -SERVICE_PREFIX.length) ?? `http://127.0.0.1:${DEFAULT_HTTP_PORT}`;
  }
}
