import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import type { SMTPServerOptions as LibraryOptions } from 'smtp-server';
import type { SmtpAccess } from './access.js';
import { authMethods } from './auth.js';
import type { PromptServer } from './connections.js';

/** Listeners of the SMTP server: on its port, on one with TLS from the first byte, and with LMTP. */

export type ListenerKind = 'smtp' | 'smtps' | 'lmtp';
export type Where = { host: string; port: number } | { path: string };

/** What clients of a server for a team have to do. */
const WITH_KEY = 'log in first, with an API key as the password';

/** Older versions are broken, and OpenSSL refuses them. */
const TLS_OLDEST = 'TLSv1.2';

/** Returns the library's options that differ between listeners. */
export function optionsOf(kind: ListenerKind, access: SmtpAccess): LibraryOptions {
  const { tls, starttls, login } = access;
  const withTls = kind === 'smtps' || (kind === 'smtp' && starttls !== undefined);
  return {
    ...(withTls && tls && { ...tls, minVersion: TLS_OLDEST }),
    secure: kind === 'smtps',
    lmtp: kind === 'lmtp',
    // The command stays, so that its reply can name the flag that enables it.
    hideSTARTTLS: !withTls,
    // Delivery agents, which LMTP is for, do not log in.
    authOptional: login !== 'required' || kind === 'lmtp',
    authRequiredMessage: access.checked ? WITH_KEY : 'log in first; svc dev --smtp-auth required demands it',
    allowInsecureAuth: kind !== 'smtp' || starttls !== 'required',
  };
}

/** Sets the mechanisms that a server offers. The library replaces an empty list in its options. */
export function offerMethods(server: PromptServer, access: SmtpAccess): void {
  server.options.authMethods = authMethods(access);
}

/** For the owner of the server only. */
const SOCKET_MODE = 0o600;

/** An address to connect to, for a server that listens on all of them. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Listens; resolves with the address to connect to. For a Unix socket, the port is 0. */
export async function listenAt(server: PromptServer, where: Where): Promise<{ host: string; port: number }> {
  if ('path' in where) await removeLeftSocket(where.path);
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    // The promise reports errors of the listener; without a listener for this event they would end the process.
    server.on('error', (error) => server.onClientError(error));
    const listening = () => {
      server.server.removeListener('error', reject);
      const address = server.server.address() as AddressInfo | string;
      if (typeof address === 'string') resolve({ host: address, port: 0 });
      else resolve({ host: REACHABLE[address.address] ?? address.address, port: address.port });
    };
    if ('path' in where) listenPrivately(server, where.path, listening);
    else server.listen(where.port, where.host, listening);
  });
}

/**
 * Listens on a Unix socket that only its owner can connect to, whatever the umask. It is created with that mode, in this
 * call, so others cannot connect first.
 */
function listenPrivately(server: PromptServer, path: string, listening: () => void): void {
  // A thread cannot set the umask of its process.
  const umask = isMainThread ? process.umask(0o077) : undefined;
  try {
    server.listen(path, listening);
  } finally {
    if (umask !== undefined) process.umask(umask);
  }
  // Node.js reports an error of the listener later.
  if (server.server.listening) chmodSync(path, SOCKET_MODE);
}

/**
 * Removes the socket of a process that was killed. One that answers makes the listener fail.
 * @throws Error with the code ENOTSOCK for any other file, which is kept.
 */
async function removeLeftSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) {
    throw Object.assign(new Error(`${path} is not a socket.`), { code: 'ENOTSOCK', address: path });
  }
  const code = await new Promise<string | undefined>((resolve) => {
    const socket = connect(path);
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
  });
  if (code === 'ECONNREFUSED') rmSync(path);
}
