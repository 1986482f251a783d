import type { Interfaces } from '@oclif/core';
import type { AppOptions } from '../../../app/app.js';
import { UsageError } from '../../errors/exit-codes.js';
import type { relayFlags } from '../flags/smtp.js';
import { readPassword, readRelayUrl } from './relay-url.js';

/** Reads the SMTP server that emails are released to, and its recipients. */

type RelayFlags = Interfaces.InferredFlags<typeof relayFlags>;

/** Returns the relay; undefined without one. @throws UsageError for flags that cannot be used. */
export async function readRelay(flags: RelayFlags): Promise<AppOptions['relay']> {
  const { relay, 'relay-allow': allow = [], 'auto-release': auto = [] } = flags;
  if (!relay) {
    if (allow.length + auto.length === 0) return undefined;
    throw new UsageError('--relay-allow and --auto-release need --relay.', 'Name the SMTP server with --relay.');
  }
  for (const pattern of allow) checkPattern('--relay-allow', pattern);
  for (const pattern of auto) checkPattern('--auto-release', pattern);
  const { allow: ofProfile, ...server } = relay.includes('://')
    ? { ...readRelayUrl(relay), allow: [] }
    : await (await import('./relay-profiles.js')).readRelayProfile(relay, process.env);
  const { user, password = await passwordOf(flags), ...target } = server;
  if (user !== undefined && password === undefined) {
    throw new UsageError(
      `No password for ${user} at ${server.host}.`,
      'Set SVC_RELAY_PASSWORD, or pass --relay-password-file.',
    );
  }
  return {
    ...target,
    login: user === undefined || password === undefined ? null : { user, password, required: true },
    verifyCertificate: true,
    allow: [...ofProfile, ...allow],
    auto,
  };
}

async function passwordOf({ 'relay-password-file': file }: RelayFlags): Promise<string | undefined> {
  return file === undefined ? process.env.SVC_RELAY_PASSWORD || undefined : readPassword('--relay-password-file', file);
}

function checkPattern(flag: string, pattern: string): void {
  if (/^\S+$/.test(pattern) && /[@*]/.test(pattern)) return;
  throw new UsageError(`${flag} must be an address or a pattern such as "*@corp.test".`);
}
