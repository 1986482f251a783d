import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import { type JobKind, runJob } from '../../../src/core/jobs/job-kinds.js';
import { runStep } from '../../../src/core/mail/lifecycle.js';
import { firstLink, htmlLinks, mailLinks } from '../../../src/core/mail/links.js';
import type { Email } from '../../../src/core/model/emails.js';
import { type HtmlLinks, ProcessorUnavailableError, UnprocessableError } from '../../../src/core/ports.js';
import { LEASE_MS, type Store } from '../../../src/core/store.js';
import { INLINE_CHARACTERS } from '../../../src/mime/processing.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf, recipientOf } from '../../storage/records.js';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import {
  deliveredHtml,
  eventsOf,
  fetchContent,
  fetchFromMail,
  linksIn,
  pixelUrl,
} from '../../support/mail/delivered.js';
import { pendingJobs } from '../../support/pending-jobs.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { send } from '../../support/simulation.js';

/** Exits when it starts, as on a system that cannot start another process. */
const BROKEN = join(ROOT, 'test/fixtures/workers/broken.cjs');
const LINK = 'https://shop.test/order';
/** Large enough to be processed by a worker. */
const HTML = `<a href="${LINK}">your order</a>${'<p>x</p>'.repeat(INLINE_CHARACTERS / 8)}`;
const NOW = Date.parse('2026-01-01T00:00:00Z');
const UNAVAILABLE = new ProcessorUnavailableError('No worker process could be started.');
const UNPROCESSABLE = new UnprocessableError('It takes longer than 5 seconds.');

describe('finding the links of an email', () => {
  const findersThat = (error: Error) => ({
    findHtmlLinks: () => Promise.reject(error),
    findTextLinks: () => Promise.reject(error),
  });
  const email = { html: HTML, text: '' } as Email;

  it('fails temporarily when no worker can be started', async () => {
    const finders = findersThat(UNAVAILABLE);
    await expect(firstLink(finders, email)).rejects.toBe(UNAVAILABLE);
    await expect(htmlLinks(finders, HTML)).rejects.toBe(UNAVAILABLE);
  });

  it('finds none in an email that exceeds the limits of one message', async () => {
    const finders = findersThat(UNPROCESSABLE);
    expect(await firstLink(finders, email)).toBeNull();
    expect(await htmlLinks(finders, HTML)).toBeUndefined();
  });

  it.each([UNAVAILABLE, UNPROCESSABLE])('warns of $name where the links are only shown', async (error) => {
    const message = `The links could not be found. ${error.message}`;
    const warnings = [{ code: 'links_not_found', path: '', message }];
    expect(await mailLinks(findersThat(error), email)).toEqual({ urls: [], warnings });
  });
});

describe('a click job without a worker', () => {
  let store: Store;
  beforeEach(() => {
    store = openSqliteStore('memory');
  });
  afterEach(() => store.close());

  it('records nothing, and clicks the link of the email when it runs again', async () => {
    const links: HtmlLinks = { links: [{ start: 9, end: 9 + LINK.length, url: LINK }], pixelAt: 0, cut: false };
    let isAvailable = false;
    const core = {
      store,
      clock: { now: () => NOW },
      ids: createIds(),
      findHtmlLinks: () => (isAvailable ? Promise.resolve(links) : Promise.reject(UNAVAILABLE)),
    } as unknown as Parameters<typeof runStep>[0];
    const mailbox = 'ada@example.test';
    const payload = { emailId: 'msg_1', mailbox, steps: [{ name: 'click', afterMs: 0 }] };
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1', { html: HTML }), [recipientOf(mailbox, { status: 'delivered' })], []);
      await tx.jobs.add({ kind: 'email.outcome', runAt: NOW, payload });
    });
    const claim = { now: NOW, systemNow: NOW, leaseUntil: NOW + LEASE_MS, limit: 1, kinds: ['email.outcome'] };
    const [job] = await store.write((tx) => tx.jobs.claim(claim));
    if (!job) throw new Error('no job was claimed');

    const kind: JobKind = {
      type: 'item',
      run: (each) => runStep(core, each.payload as Parameters<typeof runStep>[1]),
    };

    await expect(runJob(kind, job)).rejects.toBe(UNAVAILABLE);
    expect([await pendingJobs(store, 'email.outcome'), await store.read.events.ofEmail('msg_1')]).toEqual([1, []]);

    isAvailable = true;
    const end = await runJob(kind, job);
    if (end === 'deferred') throw new Error('the job was deferred');
    await store.write(end);
    expect(await pendingJobs(store, 'email.outcome')).toBe(0);
    const [event] = await store.read.events.ofEmail('msg_1');
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ type: 'email.clicked', data: { url: LINK } });
  });
});

describe('a request without a worker', () => {
  const directory = temporaryDirectory();
  const storage = { file: join(directory.path, 'mail.db') };
  let id: string;
  let delivered: string;
  let app: TestApp;

  beforeAll(async () => {
    const before = await startApp({ storage });
    id = await send(before, 'ada@example.test', { html: HTML });
    await before.drain();
    delivered = await deliveredHtml(before, id);
    await before.closeClean();
    app = await startApp({ storage, processing: { entry: BROKEN } });
  });
  afterAll(async () => {
    await app.close();
    directory.remove();
  });

  const simulate = () => app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'clicked' });

  it.each([
    ['a tracked link', () => fetchFromMail(app, linksIn(delivered)[0] ?? '')],
    ['the delivered HTML', () => fetchContent(app, `/emails/${id}/delivered`)],
    ['the composed message', () => fetchContent(app, `/emails/${id}/raw`)],
    ['a simulated click', simulate],
  ])('responds 503 with Retry-After: %s', async (_, request) => {
    const reported = app.faults.length;
    const answer = await request();

    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const envelope = 'body' in answer ? JSON.parse(answer.body.toString()) : answer.json;
    expect(envelope.error).toEqual({
      code: 'internal_error',
      message: 'No worker process could be started.',
      status: 503,
      hint: 'Wait for the number of seconds in Retry-After, then try again.',
    });
    expect(app.faults.slice(reported)).toMatchObject([{ name: 'ProcessorUnavailableError' }]);
    expect(await eventsOf(app, id, 'email.clicked')).toEqual([]);
  });

  it('warns in an inspection, and records an open', async () => {
    const { status, json } = await app.call('GET', `/_svc/emails/${id}`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      links: [],
      warnings: expect.arrayContaining([
        expect.objectContaining({ message: 'The links could not be found. No worker process could be started.' }),
      ]),
    });
    expect((await fetchFromMail(app, pixelUrl(delivered))).status).toBe(200);
    expect(await eventsOf(app, id, 'email.opened')).toHaveLength(1);
  });
});
