import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { describeIssue } from '../../../contract/issues.js';
import { PORT_MAX } from '../../../contract/vocabulary/limits.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import { relayTlsModes } from '../../../contract/vocabulary/smtp.js';
import { CommandError, NotFoundError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { configDirectory } from '../../target/profiles.js';
import { defaultRelayPort, type RelayServer, readPassword, unusableRelay } from './relay-url.js';

/** Reads relays from `relays.json` in the user's configuration directory, where profiles are too. */

const RelayProfile = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(PORT_MAX).optional(),
  tls: z.enum(relayTlsModes).default('starttls'),
  user: z.string().min(1).optional(),
  password_file: z.string().min(1).optional(),
  password_env: z.string().min(1).optional(),
  allow: z.array(z.string().min(1)).default([]),
});

const RelayFile = z.record(z.string(), RelayProfile);

/** A name. Other text may be an address with a password. */
const NAME = /^[\w.-]+$/;

/** @throws CommandError if the file cannot be used, or has no such relay; UsageError for an invalid name. */
export async function readRelayProfile(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<RelayServer & { allow: string[] }> {
  const file = join(configDirectory(env), 'relays.json');
  const relays = readRelays(file);
  const found = Object.hasOwn(relays, name) ? relays[name] : undefined;
  if (!found) {
    if (!NAME.test(name)) throw unusableRelay();
    const nearest = nearestName(name, Object.keys(relays));
    const hint = nearest ? `Did you mean ${nearest}?` : `Add it to ${file}, or pass a URL such as smtp://HOST.`;
    throw new NotFoundError(`Relay ${JSON.stringify(name)} not found.`, hint);
  }
  const { host, port, tls, user, password_file, password_env, allow } = found;
  const password =
    password_file !== undefined
      ? await readPassword('password_file in relays.json', resolve(dirname(file), password_file))
      : password_env && (env[password_env] || undefined);
  return {
    ...{ host, tls, allow },
    port: port ?? defaultRelayPort(tls),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
  };
}

function readRelays(file: string): z.infer<typeof RelayFile> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    const reason = error instanceof SyntaxError ? error.message : describeFileError(error);
    throw new CommandError(`${file} cannot be read: ${reason}.`, 'Fix the file, or pass a URL such as smtp://HOST.');
  }
  const read = RelayFile.safeParse(value, { error: describeIssue });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CommandError(`${file}: ${issue?.path.join('.') || 'the value'} ${issue?.message}.`, 'Fix the file.');
}
