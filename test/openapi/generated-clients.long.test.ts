import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, ROOT, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { data, request } from '../support/servers/server-calls.js';
import { buildClient, CLIENTS, documentedClients, runClient, skipReason } from './documented-clients.js';

/** A response with an error. */
interface Refusal {
  error: { code: string; details: { path: string; message: string }[] };
}

const clients = documentedClients.map((client) => ({ ...client, skipped: skipReason(client) }));
const available = clients.filter(({ skipped }) => !skipped);

it('docs/clients.md shows the programs that these tests run', () => {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^```(?:python|go|java|ts)\n(.*?)^```$/gms), ([, code]) => code);
  const files = readdirSync(CLIENTS).filter((name) => !name.startsWith('go.'));

  expect(files.toSorted()).toEqual(documentedClients.map(({ file }) => file).toSorted());
  expect(shown.toSorted()).toEqual(files.map((file) => readFileSync(join(CLIENTS, file), 'utf8')).toSorted());
});

describe('a client that a generator made from the served document', () => {
  const directory = temporaryDirectory();
  const failures = new Map<string, Error>();
  let server: DevServer;

  // Two at a time: most of the commands have one thread.
  beforeAll(async () => {
    server = await startDev(['--in-memory']);
    const document = join(directory.path, 'openapi.json');
    writeFileSync(document, await (await request(server.ready, '/v1/openapi.json')).text());
    const queue = [...available];
    const worker = async () => {
      for (let client = queue.shift(); client; client = queue.shift()) {
        const folder = join(directory.path, client.file);
        mkdirSync(folder);
        await buildClient(client, document, folder).catch((error: Error) => failures.set(client.file, error));
      }
    };
    await Promise.all([worker(), worker()]);
  }, 600_000);

  afterAll(async () => {
    await server?.stop();
    directory.remove();
  });

  it.for(clients)('$file sends, lists, reads, renders, deletes and reads errors$skipped', async (client, context) => {
    context.skip(client.skipped !== '');
    expect(failures.get(client.file)).toBeUndefined();
    expect((await request(server.ready, '/_svc/reset', { method: 'POST' })).status).toBe(204);
    const env = { SVC_BASE_URL: server.ready.base_url, SVC_API_KEY: server.ready.api_key };

    const lines = await runClient(client, join(directory.path, client.file), env);

    const { emails, pagination } = await data(server.ready, '/v1/emails');
    const [email] = emails;
    const [template] = (await data(server.ready, '/v1/templates')).templates;
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const variables = { order: 1001, name: 'Ada' };
    const render = { ...json, body: JSON.stringify({ variables }) };
    const refused = { ...json, body: JSON.stringify({ to: email.to, from: email.from }) };
    const { error } = (await (await request(server.ready, '/v1/emails', refused)).json()) as Refusal;
    expect(lines).toEqual([
      `sent ${email.id}`,
      `listed ${pagination.total}`,
      expect.stringMatching(`^read ${email.subject} [a-z]+$`),
      `rendered ${(await data(server.ready, `/v1/templates/${template.id}/render`, render)).html}`,
      'deleted 204',
      ...error.details.map(({ path, message }) => `refused ${error.code} ${path}: ${message}`),
    ]);
    expect((await data(server.ready, '/v1/webhooks')).webhooks).toEqual([]);
  });
});
