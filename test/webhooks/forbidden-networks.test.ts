import { describe, expect, it } from 'vitest';
import { addressKind } from '../../src/http/outbound/guarded-lookup.js';
import { startApp } from '../support/servers/app.js';

/** First and last address of every block in IANA's special-purpose registries, and of others that lead inside. */

const refused = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private use', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['shared by a carrier', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['link local', '169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::', 'febf:ffff::1', 'fe80::1%eth0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '2001::', '2001:1ff:ffff::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  ['AS112', '192.31.196.1', '192.175.48.1', '2620:4f:8000::1', '2001:4:112::1'],
  ['AMT', '192.52.193.1', '2001:3::1'],
  ['6to4', '192.88.99.1', '2002::', '2002:a9fe:a9fe::1'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '2001:2::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff00::', 'ff02::1'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['IPv4-compatible', '::10.0.0.1', '::7f00:1', '::a9fe:a9fe', '::ffff:ffff'],
  ['IPv4-mapped', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::FFFF:169.254.169.254'],
  ['IPv4-translated', '::ffff:0:10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  ['Teredo', '2001::1', '2001:0:a9fe:a9fe::1'],
  ['ORCHID', '2001:10::1', '2001:20::1', '2001:30::1'],
  ['discard and dummy', '100::1', '100:0:0:1::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::', 'fdff:ffff::1', 'fd00:ec2::254'],
  ['site local', 'fec0::1', 'feff::1'],
  ['not given out', '4000::1', '1::1', 'e000::1'],
  ['the platform of Azure', '168.63.129.16', '::ffff:168.63.129.16'],
  ['no address at all', '', 'localhost', '1.2.3.4.5', '::g'],
];

const allowed = [
  ['loopback', '127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'],
  [
    'public',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '168.63.129.17',
    '172.15.255.255',
  ],
  ['public', '172.32.0.0', '192.0.1.0', '192.167.255.255', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ['public', '2000::1', '2001:200::1', '2001:4860:4860::8888', '2606:4700:4700::1111', '2a00::1', '::ffff:1.1.1.1'],
];

describe('a webhook', () => {
  const rows = (table: string[][]) => table.map(([kind, ...addresses]) => ({ kind, addresses }));

  it.each(rows(refused))('does not reach a network of the kind $kind', ({ addresses }) => {
    expect(addresses.filter((address) => addressKind(address) !== 'private')).toEqual([]);
  });

  it.each(rows(allowed))('reaches a network of the kind $kind', ({ addresses }) => {
    expect(addresses.filter((address) => addressKind(address) === 'private')).toEqual([]);
  });

  it.each([
    'https://169.254.169.254/latest',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:a9fe:a9fe::]/',
    'https://[2001:0:a9fe:a9fe::]/',
    'https://168.63.129.16/',
    'https://10.0.0.1/',
    'https://0.0.0.0/',
  ])('to %s is refused before anything connects', async (url) => {
    const app = await startApp();
    app.clock.freeze();
    const { json } = await app.call('POST', '/v1/webhooks', { url, events: ['email.sent'] });
    expect(json.success).toBe(true);
    await app.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html: 'x' });
    await app.drain();
    const [delivery] = (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
    const { log } = (await app.call('GET', `/_svc/deliveries/${delivery.id}`)).json.data;
    expect(log).toMatchObject([{ status: null, error: expect.stringContaining('is in a private network') }]);
    await app.closeClean();
  });

  it.each([
    'https://user:secret@example.com/',
    'http://example.com/',
    'ftp://example.com/',
    'https://example.com/\r\nX: y',
  ])('to %j cannot be created', async (url) => {
    const app = await startApp();
    expect((await app.call('POST', '/v1/webhooks', { url, events: ['email.sent'] })).status).toBe(422);
    await app.closeClean();
  });
});
