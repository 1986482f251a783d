import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DnsRecord } from '../../src/contract/service/domains.js';
import { startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { type DnsServer, inCharacterStrings, startDnsServer } from '../support/servers/dns-server.js';

/** Tests `svc dev --dns` and `svc domains dns`, as a user runs them. Gap 17. */

const DOMAIN = 'mail.example.com';

describe('svc dev with a real DNS', () => {
  let dns: DnsServer;

  beforeEach(async () => {
    dns = await startDnsServer();
  });

  afterEach(() => dns.close());

  it('looks records up at the server that --dns-server names', async () => {
    const dev = await startDev(['--in-memory', '--dns', 'real', '--dns-server', `127.0.0.1:${dns.port}`]);
    const client = ['--base-url', dev.ready.base_url, '--api-key', dev.ready.api_key, '--json'];
    try {
      const added = JSON.parse((await svc(['domains', 'add', DOMAIN, ...client])).stdout);
      const pending = JSON.parse((await svc(['domains', 'verify', DOMAIN, ...client])).stdout);
      expect(pending).toMatchObject({ status: 'pending', dkim_verified: false, spf_verified: false });
      for (const { name, value } of added.dns_records as DnsRecord[]) dns.zone.set(name, [inCharacterStrings(value)]);
      const verified = JSON.parse((await svc(['domains', 'verify', DOMAIN, ...client])).stdout);
      expect(verified).toMatchObject({ status: 'verified', dkim_verified: true, spf_verified: true });

      dns.answerWith = 'SERVFAIL';
      const failed = await svc(['domains', 'verify', DOMAIN, ...client]);
      expect([failed.code, JSON.parse(failed.stderr).error.code]).toEqual([1, 'upstream_error']);
      const refused = await svc(['domains', 'dns', DOMAIN, '--unpublish', 'dkim', ...client]);
      expect([refused.code, JSON.parse(refused.stderr).error.status]).toEqual([1, 409]);
    } finally {
      await dev.stop();
    }
  });

  it.each([
    [['--dns-server', '127.0.0.1:99999'], 'HOST:PORT'],
    [['--dns-server', 'a:b:c'], 'HOST:PORT'],
    [['--dns-server', '[127.0.0.1]:53'], 'HOST:PORT'],
    [['--dns', 'simulated', '--dns-server', '127.0.0.1'], '--dns real'],
    [['--dns', 'cloud'], 'simulated'],
  ])('refuses %j as a usage error', async (args, why) => {
    const finished = await svc(['dev', '--in-memory', '--http-port', '0', '--smtp-port', '0', ...args]);
    expect(finished.code).toBe(2);
    expect(finished.stderr).toContain(why);
  });
});

describe('svc domains dns', () => {
  it('removes records from the simulated DNS and publishes them again, with no server running', async () => {
    const directory = temporaryDirectory();
    const run = (...args: string[]) => svc(['domains', ...args, '--data-dir', directory.path]);
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
    try {
      await run('add', DOMAIN);
      await run('add', 'other.example.com');
      const out = await json('dns', DOMAIN, '--unpublish', 'dkim', '--unpublish', `_dmarc.${DOMAIN}`);
      const unpublished = out.records.filter(({ published }: { published: boolean }) => !published);
      expect(unpublished.map(({ name }: { name: string }) => name)).toEqual([
        `svc._domainkey.${DOMAIN}`,
        `_dmarc.${DOMAIN}`,
      ]);
      expect(await json('verify', DOMAIN)).toMatchObject({
        status: 'pending',
        dkim_verified: false,
        dmarc_verified: false,
      });
      expect(await json('verify', 'other.example.com')).toMatchObject({ status: 'verified' });

      await json('dns', '--publish', `svc._domainkey.${DOMAIN}`);
      expect(await json('verify', DOMAIN)).toMatchObject({
        status: 'verified',
        dkim_verified: true,
        dmarc_verified: false,
      });
      const shown = await run('dns', DOMAIN);
      expect(shown.stdout).toMatch(new RegExp(`_dmarc\\.${DOMAIN} +dmarc +no +v=DMARC1`));
      expect(shown.stdout).not.toContain('other.example.com');

      const ambiguous = await run('dns', '--unpublish', 'spf');
      expect([ambiguous.code, ambiguous.stderr]).toEqual([2, expect.stringContaining('DOMAIN is required')]);
      expect((await run('dns', '--unpublish', 'nothing.example.com')).code).toBe(1);
      expect((await run('dns', 'nothing.example.com')).code).toBe(1);
    } finally {
      directory.remove();
    }
  });
});
