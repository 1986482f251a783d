import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { everythingOf, exportFrom, importInto } from '../../support/state.js';
import { fill, statusesOf } from '../../support/storage/damage.js';

/** Tests archives with something changed at random: each is refused as a whole, or imported as a whole. */

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 100);
const BLOCK = 512;

type Change = (tar: Buffer) => Buffer;

/** Generates the bytes of a size field. */
const sizeField = fc.oneof(
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc.stringMatching(/^[-0-7 z]{11}$/).map((text) => Buffer.from(`${text}\0`)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => {
    const field = Buffer.alloc(12);
    field[0] = 0x80;
    field.writeBigUInt64BE(value, 4);
    return field;
  }),
);
/** Generates a position in the archive; half of them are in its first two headers and the manifest. */
const place = fc.oneof(fc.integer({ min: 0, max: 2047 }), fc.nat(1_000_000));
const within = (tar: Buffer, at: number) => at % Math.max(1, tar.length);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([at, byte]) => (tar: Buffer) => {
    tar[within(tar, at)] = byte;
    return tar;
  }),
  fc.tuple(fc.constantFrom(0, 1024), sizeField, fc.boolean()).map(([header, field, signed]) => (tar: Buffer) => {
    if (tar.length < header + BLOCK) return tar;
    field.copy(tar, header + 124);
    if (signed) sign(tar, header);
    return tar;
  }),
  fc.tuple(fc.constantFrom(0, 1024), fc.constantFrom(...'0123456789xgLKSVA')).map(([header, type]) => (tar: Buffer) => {
    if (tar.length < header + BLOCK) return tar;
    tar.write(type, header + 156, 'latin1');
    sign(tar, header);
    return tar;
  }),
  place.map((at) => (tar: Buffer) => tar.subarray(0, within(tar, at))),
  fc.tuple(place, place, fc.integer({ min: 1, max: 8 })).map(([from, to, blocks]) => (tar: Buffer) => {
    const [start, end] = [from, to].map((at) => Math.floor(within(tar, at) / BLOCK) * BLOCK) as [number, number];
    const piece = tar.subarray(start, start + blocks * BLOCK);
    return Buffer.concat([tar.subarray(0, end), piece, tar.subarray(end)]);
  }),
  // Pages of the database, which begins with the third kilobyte at the latest.
  fc
    .tuple(fc.integer({ min: 1536, max: 400_000 }), fc.uint8Array({ minLength: 1, maxLength: 64 }))
    .map(([at, bytes]) => (tar: Buffer) => {
      if (tar.length > 2048) Buffer.from(bytes).copy(tar, Math.min(at, tar.length - 1));
      return tar;
    }),
);

/** Recalculates a header's checksum, so that a changed header is not refused for its checksum alone. */
function sign(tar: Buffer, header: number): void {
  tar.fill(' ', header + 148, header + 156);
  const sum = tar.subarray(header, header + BLOCK).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, header + 148, 'latin1');
}

describe(`${RUNS} archives changed at random`, () => {
  let app: TestApp;
  let archive: Buffer;
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => rejections.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    app = await startApp({ plan: 'none', logRequests: false });
    await fill(app, 'http://127.0.0.1:1/');
    app.clock.freeze();
    archive = await exportFrom(app);
  });
  afterAll(async () => {
    await app.close();
    process.off('unhandledRejection', onRejection);
  });

  it('are refused or imported as a whole', async () => {
    const tar = gunzipSync(archive);
    const counts = new Map<number, number>();
    let before = await everythingOf(app);
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.option(place, { freq: 10, nil: undefined }),
      async (changes, cut) => {
        const changed = changes.reduce<Buffer>((bytes, apply) => apply(bytes), Buffer.from(tar));
        const packed = gzipSync(changed, { level: 1 });
        const { status, json } = await importInto(
          app,
          cut === undefined ? packed : packed.subarray(0, cut % packed.length),
        );
        counts.set(status, (counts.get(status) ?? 0) + 1);
        expect({ status, json }).toMatchObject({ status: status === 200 ? 200 : 400 });
        if (status === 200) {
          await app.drain();
          // An item can be set aside as it is read.
          for (const [path, answer] of Object.entries(await statusesOf(app))) {
            expect([200, ...(/(msg|dlv)_/.test(path) ? [404] : [])], path).toContain(answer);
          }
          expect((await importInto(app, archive)).status).toBe(200);
          before = await everythingOf(app);
        } else {
          expect(await everythingOf(app)).toEqual(before);
        }
        expect((await app.call('GET', '/_svc/health')).status).toBe(200);
        expect(rejections).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    // Changes that are always refused would test little.
    if (RUNS >= 100) expect([...counts.keys()].sort()).toEqual([200, 400]);
  }, 3_600_000);
});
