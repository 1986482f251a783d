import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import { triggerEvent } from '../../../src/core/handlers/control/webhooks.js';
import { deliveredHtml } from '../../../src/core/mail/tracking/tracking.js';
import { clickTracked, openTracked } from '../../../src/core/mail/tracking/visits.js';
import type { Store } from '../../../src/core/store.js';
import { findHtmlLinks } from '../../../src/mime/html-links.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf, NOON, recipientOf } from '../../storage/records.js';
import { linksIn, pixelUrl } from '../../support/mail/delivered.js';

const LINK = 'https://shop.test/order';
const VISITOR = { ip: '192.0.2.1', userAgent: 'Test/1' };

/**
 * Tests that bodies are not loaded without need: one may be as large as a message, and an open or a sample event needs
 * none.
 */
describe('the bodies of an email', () => {
  let store: Store;
  let core: Parameters<typeof openTracked>[2];
  let html: string;
  const find = vi.fn();

  beforeEach(async () => {
    store = openSqliteStore('memory');
    const email = emailOf('msg_1', { html: `<a href="${LINK}">x</a>`, trackOpens: true, trackClicks: true });
    await store.write((tx) => tx.emails.insert(email, [recipientOf('ada@example.test', { status: 'delivered' })], []));
    find.mockReset().mockImplementation((id: string) => store.read.emails.find(id));
    const emails = Object.assign(Object.create(store.read.emails), { find });
    core = {
      store: Object.assign(Object.create(store), {
        read: { ...store.read, emails },
        write: (work: Parameters<Store['write']>[0]) => store.write(work),
      }),
      clock: { now: () => NOON } as typeof core.clock,
      ids: createIds(),
      findHtmlLinks: async (text) => findHtmlLinks(text),
      publicUrl: () => 'http://127.0.0.1:8025',
    };
    html = await deliveredHtml(email, 0, core);
  });
  afterEach(() => store.close());

  const lastPart = (url: string | undefined) => url?.split('/').at(-1) ?? '';
  const typesOf = async () => (await store.read.events.ofEmail('msg_1')).map(({ type }) => type);

  it('are not read when its pixel is fetched', async () => {
    await openTracked(lastPart(pixelUrl(html)), VISITOR, core);

    expect(await typesOf()).toEqual(['email.opened']);
    expect(find).not.toHaveBeenCalled();
  });

  it('are not read when a sample event is triggered', async () => {
    const context = { ...core, key: { workspace: null } } as unknown as Parameters<typeof triggerEvent>[1];
    await triggerEvent(
      { body: { type: 'email.opened', email_id: 'msg_1' } } as Parameters<typeof triggerEvent>[0],
      context,
    );

    expect(await typesOf()).toEqual(['email.opened']);
    expect(find).not.toHaveBeenCalled();
  });

  it('are read when a tracked link is fetched, once', async () => {
    expect(await clickTracked(lastPart(linksIn(html)[0]), VISITOR, core)).toBe(LINK);

    expect(await typesOf()).toEqual(['email.clicked']);
    expect(find).toHaveBeenCalledTimes(1);
  });
});
