import { expect, it } from 'vitest';
import { eventOf, insertEmail, NOON, templateOf } from '../records.js';
import { type MakeFixture, stores } from './fixture.js';
import { claimOf } from './jobs.js';

/** Tests what two processes on one database may rely on. */
export function sharingSuite(make: MakeFixture): void {
  const { open } = stores(make);

  it('shows each what the other has committed', async () => {
    const [one, other] = [await open(), await open()];
    await one.write((tx) => insertEmail(tx, 'msg_1'));
    expect((await other.read.emails.find('msg_1'))?.id).toBe('msg_1');
    await other.write((tx) => tx.emails.setStatus('msg_1', { status: 'delivered' }));
    expect((await one.read.emails.find('msg_1'))?.status).toBe('delivered');
  });

  it('keeps the other store open after one was closed', async () => {
    const first = await open();
    await first.write((tx) => tx.settings.set('kept', 'yes'));
    await first.close();
    expect(await (await open()).read.settings.get('kept', String)).toBe('yes');
  });

  it('accepts the writes of both, and numbers events without gaps or duplicates', async () => {
    const both = [await open(), await open()];
    await Promise.all(
      Array.from({ length: 600 }, (_, n) => both[n % 2]!.write((tx) => tx.events.append(eventOf(`evt_${n}`), 'sent'))),
    );
    const events = await both[0]!.read.events.after(0, 1_000);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
    expect(new Set(events.map(({ id }) => id)).size).toBe(600);
    expect((await both[1]!.read.events.count(NOON, NOON)).sent).toBe(600);
  });

  it('gives a name to one of them', async () => {
    const [one, other] = [await open(), await open()];
    const taken = await Promise.all([
      one.write((tx) => tx.templates.insert(templateOf('tpl_1', { name: 'same' }))),
      other.write((tx) => tx.templates.insert(templateOf('tpl_2', { name: 'same' }))),
    ]);
    expect(taken.toSorted()).toEqual([false, true]);
  });

  it('never gives both the same job', async () => {
    const both = [await open(), await open()];
    const count = 300;
    await both[0]!.write(async (tx) => {
      for (let n = 0; n < count; n++)
        await tx.jobs.add({ kind: 'email.parse', runAt: NOON - n, payload: { emailId: `msg_${n}` } });
    });
    const claimed = await Promise.all(
      Array.from({ length: 80 }, (_, n) => both[n % 2]!.write((tx) => tx.jobs.claim(claimOf({ limit: 1 + (n % 7) })))),
    );
    const seqs = claimed.flat().map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(seqs).toHaveLength(count);
    for (const [index, share] of [0, 1].map((which) => claimed.filter((_, n) => n % 2 === which).flat()).entries()) {
      expect(share.length, `store ${index}`).toBeGreaterThan(0);
    }
  });

  it('gives one a job whose lease expired, and tells the other that it is gone', async () => {
    const [one, other] = [await open(), await open()];
    await one.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: NOON, payload: { emailId: 'msg_1' } }));
    const [job] = await one.write((tx) => tx.jobs.claim(claimOf()));
    const late = claimOf({ systemNow: claimOf().leaseUntil, leaseUntil: claimOf().leaseUntil + 60 });
    expect(await other.write((tx) => tx.jobs.claim(late))).toEqual([job]);
    expect(await other.write((tx) => tx.jobs.complete(job!.seq))).toBe(true);
    expect(await one.write((tx) => tx.jobs.complete(job!.seq))).toBe(false);
  });

  it('does not change the leases of one when another opens', async () => {
    const one = await open();
    await one.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: NOON, payload: { emailId: 'msg_1' } }));
    await one.write((tx) => tx.jobs.claim(claimOf()));
    expect(await (await open()).write((tx) => tx.jobs.claim(claimOf()))).toEqual([]);
  });
}
