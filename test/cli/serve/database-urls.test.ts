import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate } from '../../../src/cli/server/tls/certificates.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe } from '../../support/cli/serve.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory.path, name);
let postgres: PostgresServer;

/** Starts PostgreSQL with TLS. Its own key file belongs to its user. */
beforeAll(async () => {
  if (withoutPostgres) return;
  const authority = await createAuthority(Date.now(), 'test');
  const { key, cert } = await createServerCertificate(authority, ['localhost', '127.0.0.1'], Date.now());
  for (const [name, text] of Object.entries({ 'ca.pem': authority.cert, 'key.pem': key, 'cert.pem': cert })) {
    writeFileSync(file(name), text);
    chmodSync(file(name), 0o600);
  }
  writeFileSync(file('not-pem'), 'no certificate');
  mkdirSync(file('folder'));
  chmodSync(directory.path, 0o755);
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', file('key.pem'), file('cert.pem')]);
  const files = [`ssl_cert_file=${file('cert.pem')}`, `ssl_key_file=${file('key.pem')}`];
  postgres = await startPostgres({ settings: ['ssl=on', ...files] });
});
afterAll(async () => {
  await postgres?.remove();
  directory.remove();
});

/** Starts a server that is expected to refuse. */
async function refused(database: string) {
  const { code, stderr } = await svc(['serve'], { env: { SVC_API_KEY: ADMIN_KEY, SVC_DATABASE_URL: database } });
  expect(code).toBeGreaterThan(0);
  return stderr;
}

describe('a database URL', () => {
  it.each([
    ['an @ and a slash', 'postgres://svc:hid@den/secret@db:5432/svc'],
    ['a slash after digits', 'postgres://svc:123/hidden@db:5432/svc'],
    ['a slash after letters', 'postgres://svc:hid/den@db:5432/svc'],
    ['a #', 'postgres://svc:hid@den#secret@db/svc'],
    ['a ?', 'postgres://svc:hid@den?secret@db/svc'],
    ['a ? and a =', 'postgres://svc:hid@den?sec=ret@db/svc'],
  ])('is refused without a part of it if its password contains %s', async (_, url) => {
    const stderr = await refused(url);
    expect(stderr).toMatch(/^Error: SVC_DATABASE_URL .*\n.* Percent-encode special characters of the user and the/);
    expect(stderr).not.toMatch(/hid|den|secret|123/);
  });

  it.each([
    ['sslmod=require', 'SVC_DATABASE_URL has the unknown parameter "sslmod".'],
    ['channel_binding=require', 'SVC_DATABASE_URL has the unknown parameter "channel_binding".'],
    ['sslmode=verify', 'The sslmode of SVC_DATABASE_URL must be one of disable, prefer,'],
  ])('is refused if a parameter would be ignored: %s', async (parameter, message) => {
    const stderr = await refused(`postgres://svc:hidden@127.0.0.1:1/svc?${parameter}`);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hidden');
  });

  it('is refused together with a data directory, under the name that it comes from', async () => {
    const env = { SVC_API_KEY: ADMIN_KEY, SVC_DATABASE_URL: 'postgres://svc:hidden@127.0.0.1:1/svc' };
    const { code, stderr } = await svc(['serve', '--data-dir', directory.path], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('--data-dir and SVC_DATABASE_URL cannot be used together.\nUnset SVC_DATABASE_URL, or');
  });

  it.each([
    ['missing', 'sslrootcert', 'no such file or directory'],
    ['folder', 'sslcert', 'it is a directory'],
  ])(`names a file that cannot be read: %s${withoutPostgres}`, async (name, parameter, reason) => {
    const stderr = await refused(`postgres://svc:hidden@127.0.0.1:1/svc?${parameter}=${file(name)}`);
    expect(stderr).toContain(
      `${file(name)}, the ${parameter} of the database URL, cannot be read: ${reason}.\nCorrect`,
    );
    expect(stderr).not.toContain('hidden');
  });

  it(`may require TLS without a warning, and certificates are verified${withoutPostgres}`, async (context) => {
    if (withoutPostgres) return context.skip();
    const database = await postgres.createDatabase();
    expect(await refused(`${database}?sslmode=require&sslrootcert=${file('not-pem')}`)).toContain(
      'Cannot use the Post',
    );
    expect(await refused(`${database}?sslmode=require`)).toMatch(/certificate is not trusted\.\nAdd sslrootcert=FILE/);

    const env = { SVC_DATABASE_URL: `${database}?sslmode=require&sslrootcert=${file('ca.pem')}` };
    const server = await startServe([], { env });
    const encrypted = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                       WHERE application_name LIKE 'svc %'`;
    expect(await postgres.query(encrypted)).toEqual([{ ssl: true }]);
    expect(await server.stop()).toBe(0);
    expect(server.log.map((line) => JSON.parse(line).level)).not.toContain('warn');
  });

  it(`without a password is reported as such${withoutPostgres}`, async (context) => {
    if (withoutPostgres) return context.skip();
    const stderr = await refused(postgres.url('svc', { password: '' }));
    expect(stderr).toMatch(/no password was given\.\nAdd the password to the database URL, or set PGPASSWORD\./);
  });
});
