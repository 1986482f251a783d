import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import { runJob } from '../../../src/core/jobs/job-kinds.js';
import { Extraction } from '../../../src/core/mail/extraction/extraction.js';
import { firstLink, outcomeKind } from '../../../src/core/mail/states/outcomes.js';
import { htmlLinks } from '../../../src/core/mail/tracking/tracking.js';
import { ProcessorUnavailableError, UnprocessableError } from '../../../src/core/ports.js';
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

/** Returns a store with an email, and its extraction, in which the search of every content fails. */
async function failingExtraction(error: Error) {
  const store = openSqliteStore('memory');
  await store.write((tx) => tx.emails.insert(emailOf('msg_1', { html: HTML }), [], []));
  const clock = { systemNow: () => NOW, after: () => () => {}, sleep: () => Promise.resolve() };
  const faults: unknown[] = [];
  const extraction = new Extraction({
    store,
    clock,
    ids: createIds(),
    findHtmlLinks: () => Promise.reject(error),
    extractContent: () => Promise.reject(error),
    onInternalError: (fault) => faults.push(fault),
  });
  return { store, extraction, faults };
}

describe('finding the links of an email', () => {
  it('begins with the newest email, because there may be more than its time allows', async () => {
    const store = openSqliteStore('memory');
    await store.write(async (tx) => {
      for (let n = 1; n <= 300; n += 1) await tx.emails.insert(emailOf(`msg_${n}`, { html: HTML }), [], []);
    });
    let now = NOW;
    const extractContent = async () => {
      now += 50;
      throw UNPROCESSABLE;
    };
    const extraction = new Extraction({
      ...{ store, ids: createIds(), findHtmlLinks: extractContent, extractContent },
      clock: { systemNow: () => now, after: () => () => {}, sleep: () => Promise.resolve() },
      onInternalError: (fault) => expect(fault).toBeUndefined(),
    });
    await extraction.extractPending('all');
    const left = await store.read.emails.unextractedRange('all');
    expect(left?.first).toBe(1);
    expect(left?.last).toBeLessThan(300);
    await store.close();
  });

  it('fails temporarily when no worker can be started, and is left to the next try', async () => {
    const { store, extraction } = await failingExtraction(UNAVAILABLE);
    await expect(firstLink({ extractsOf: (id) => extraction.extractsOf(id) }, 'msg_1')).rejects.toBe(UNAVAILABLE);
    await extraction.extractPending('all', ['msg_1']);
    await extraction.extractPending('all');
    expect(await store.read.emails.unextractedRange('all')).toEqual({ first: 1, last: 1 });
    await expect(htmlLinks({ findHtmlLinks: () => Promise.reject(UNAVAILABLE) }, HTML)).rejects.toBe(UNAVAILABLE);
    await store.close();
  });

  it.each([
    [UNPROCESSABLE, 0],
    [new TypeError('a bug'), 1],
  ])('finds none in an email whose content causes %s, and keeps a warning', async (error, reported) => {
    const { store, extraction, faults } = await failingExtraction(error);
    expect(await firstLink({ extractsOf: (id) => extraction.extractsOf(id) }, 'msg_1')).toBeNull();
    const message = `The links could not be found. ${error.message}`;
    expect(await store.read.emails.warnings('msg_1')).toEqual([{ code: 'links_not_found', path: '', message }]);
    expect(await store.read.emails.unextractedRange('all')).toBeUndefined();
    expect(faults).toHaveLength(reported);
    await store.close();
  });

  it('finds none for tracking in HTML that exceeds the limits of one message', async () => {
    expect(await htmlLinks({ findHtmlLinks: () => Promise.reject(UNPROCESSABLE) }, HTML)).toBeUndefined();
  });
});

const NOTHING = { htmlText: '', links: [], codes: [], headers: [], cut: false };

describe('finding links for several readers', () => {
  const timers = new Set<() => void>();
  let store: Store;
  let searched: number;
  let extraction: Extraction;
  beforeEach(async () => {
    store = openSqliteStore('memory');
    timers.clear();
    searched = 0;
    const after = (_: number, callback: () => void) => {
      timers.add(callback);
      return () => void timers.delete(callback);
    };
    extraction = new Extraction({
      store,
      clock: { systemNow: () => NOW, after, sleep: () => Promise.resolve() },
      ids: createIds(),
      findHtmlLinks: () => Promise.reject(UNAVAILABLE),
      extractContent: async () => {
        searched += 1;
        return NOTHING;
      },
      onInternalError: (fault) => {
        throw fault;
      },
    });
  });
  afterEach(() => store.close());

  const insert = (...ids: string[]) =>
    store.write(async (tx) => {
      for (const id of ids) await tx.emails.insert(emailOf(id), [], []);
    });

  it('searches each email once, writes them together, and includes emails that arrive meanwhile', async () => {
    await insert('msg_1', 'msg_2');
    const commits: string[][] = [];
    store.onCommit(({ emails }) => commits.push([...emails]));
    await extraction.extractPending('all', ['msg_1', 'msg_2']);
    expect(commits).toEqual([['msg_1', 'msg_2']]);

    await insert('msg_3');
    const first = extraction.extractPending('all');
    await insert('msg_4');
    await Promise.all([first, extraction.extractPending('all'), extraction.extractPending('all')]);
    expect(searched).toBe(4);
    expect(await store.read.emails.unextractedRange('all')).toBeUndefined();
    expect(timers.size).toBe(0);
  });
});

describe('a click job without a worker', () => {
  let store: Store;
  beforeEach(() => {
    store = openSqliteStore('memory');
  });
  afterEach(() => store.close());

  it('records nothing, and clicks the link of the email when it runs again', async () => {
    const extracts = {
      htmlText: '',
      links: [{ text: 'your order', href: LINK, kind: 'other' }],
      codes: [],
      headers: [],
    };
    let isAvailable = false;
    const core = {
      store,
      clock: { now: () => NOW },
      ids: createIds(),
      extractsOf: () => (isAvailable ? Promise.resolve(extracts) : Promise.reject(UNAVAILABLE)),
    } as unknown as Parameters<typeof outcomeKind>[0];
    const mailbox = 'ada@example.test';
    const payload = { emailId: 'msg_1', mailbox, steps: [{ name: 'click' as const, afterMs: 0 }] };
    await store.write(async (tx) => {
      await tx.emails.insert(emailOf('msg_1', { html: HTML }), [recipientOf(mailbox, { status: 'delivered' })], []);
      await tx.jobs.add({ kind: 'email.outcome', runAt: NOW, payload });
    });
    const claim = { now: NOW, systemNow: NOW, leaseUntil: NOW + LEASE_MS, limit: 1, kinds: ['email.outcome'] };
    const [job] = await store.write((tx) => tx.jobs.claim(claim));
    if (!job) throw new Error('no job was claimed');

    const kind = outcomeKind(core);

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
