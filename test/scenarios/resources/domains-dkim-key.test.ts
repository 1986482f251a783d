import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDkimKey } from '../../../src/mime/dkim-verify.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { inCharacterStrings } from '../../support/servers/dns-server.js';

/** RFC 6376 section 3.6.1: the TXT record's `p=` is the public half of the signing key. Verified by openssl. */

const skipped = skippedWithout('openssl');

describe.skipIf(skipped)(`the DKIM key of a domain${skipped}`, () => {
  const directory = temporaryDirectory();
  const file = (name: string) => join(directory.path, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
  let app: TestApp;
  let value: string;

  beforeAll(async () => {
    app = await startApp({ storage: { file: file('mail.db') }, makeDkimKey });
    for (const domain of ['a.example.com', 'b.example.com']) {
      const { dns_records } = (await app.call('POST', '/v1/domains', { domain })).json.data;
      const record = dns_records.find(({ purpose }: { purpose: string }) => purpose === 'dkim');
      value = inCharacterStrings(record.value).join('');
      const p = /p=([^;]*)/.exec(value)?.[1] ?? '';
      const lines = p.match(/.{1,64}/g)?.join('\n');
      writeFileSync(file(`${domain}.pub`), `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----\n`);
    }
    const db = new Database(file('mail.db'), { readonly: true });
    const rows = db.prepare('SELECT domain, dkim_private_key AS key FROM domains').all() as Record<string, string>[];
    for (const { domain, key } of rows) writeFileSync(file(`${domain}.key`), key ?? '');
    db.close();
    writeFileSync(file('message'), 'From: shop@a.example.com\r\n\r\nHi\r\n');
  });

  afterAll(async () => {
    await app.close();
    directory.remove();
  });

  it('is RSA of 2048 bits, and its record has to be split to fit into DNS', () => {
    expect(openssl('pkey', '-pubin', '-in', file('a.example.com.pub'), '-noout', '-text')).toContain('(2048 bit)');
    expect(openssl('pkey', '-in', file('a.example.com.key'), '-check', '-noout')).toContain('valid');
    expect(value.length).toBeGreaterThan(255);
    expect(inCharacterStrings(value)).toHaveLength(2);
  });

  it('signs what the key of the record verifies, and no other domain’s key does', () => {
    openssl('dgst', '-sha256', '-sign', file('a.example.com.key'), '-out', file('signature'), file('message'));
    const verify = (domain: string) =>
      spawnSync('openssl', [
        'dgst',
        '-sha256',
        '-verify',
        file(`${domain}.pub`),
        '-signature',
        file('signature'),
        file('message'),
      ]).status;
    expect(readFileSync(file('signature'))).toHaveLength(256);
    expect(verify('a.example.com')).toBe(0);
    expect(verify('b.example.com')).not.toBe(0);
  });
});
