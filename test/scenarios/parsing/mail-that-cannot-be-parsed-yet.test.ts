import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIds } from '../../../src/clock/ids.js';
import { Inbound } from '../../../src/core/mail/inbound/inbound.js';
import { type MessageParser, type ParsedMessage, ProcessorUnavailableError } from '../../../src/core/ports.js';
import type { Store } from '../../../src/core/store.js';
import { WarningTally } from '../../../src/core/streams/warning-tally.js';
import { readSimpleMessage } from '../../../src/mime/simple-message.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MESSAGES = 200;
const MORE_THAN_ONE_WRITE = 1_100;
const SIMPLE = 'From: a@x.test\r\nSubject: quick\r\n\r\nhi\r\n';
const PAGE = { limit: 2 * MORE_THAN_ONE_WRITE, offset: 0 };

describe('a message that cannot be parsed yet', () => {
  const timers = new ManualTimers();
  const clock = Object.assign(timers, { now: () => NOW, systemNow: () => NOW });
  const faults: unknown[] = [];
  let store: Store;
  beforeEach(() => {
    store = openSqliteStore('memory');
  });
  afterEach(async () => {
    await store.close();
    expect(faults).toEqual([]);
  });

  async function receive(parser: Partial<MessageParser>, count: number): Promise<Inbound> {
    const whole: MessageParser = {
      quickBytes: 64 * 1024,
      quickly: readSimpleMessage,
      parse: () => new Promise<ParsedMessage>(() => {}),
      started: () => Promise.resolve(),
      ...parser,
    };
    const deps = {
      store,
      clock,
      ids: createIds(),
      warningTally: new WarningTally(),
      announcedDomains: new Set<string>(),
      autoRelease: [],
      deliveryDelayMs: 0,
      parser: whole,
      onInternalError: (error: unknown) => faults.push(error),
    };
    const inbound = new Inbound(deps as unknown as ConstructorParameters<typeof Inbound>[0]);
    for (let n = 0; n < count; n += 1) {
      await inbound.accept({ mailFrom: 'app@x.test', recipients: ['ada@x.test'], bytes: Buffer.from(SIMPLE) });
    }
    return inbound;
  }

  const subjects = async () => (await store.read.emails.list({}, PAGE)).items.map(({ subject }) => subject);

  it('is listed with its envelope when no worker can be started', async () => {
    const inbound = await receive(
      {
        quickly: () => undefined,
        parse: () => Promise.reject(new ProcessorUnavailableError('No worker process could be started.')),
      },
      MORE_THAN_ONE_WRITE,
    );
    await inbound.parsePending();
    expect(await subjects()).toEqual(Array(MORE_THAN_ONE_WRITE).fill(''));
    const write = vi.spyOn(store, 'write');
    await inbound.parsePending();
    expect(await subjects()).toHaveLength(MORE_THAN_ONE_WRITE);
    // A read that finds every message listed writes nothing.
    expect(write).not.toHaveBeenCalled();
  });

  it('is listed with its envelope when parsing the backlog exceeds the wait of a read', async () => {
    let batchEnds = false;
    const inbound = await receive(
      {
        quickly(bytes) {
          if (!batchEnds) timers.fire(1_000);
          batchEnds = true;
          return readSimpleMessage(bytes);
        },
      },
      MESSAGES,
    );
    await inbound.parsePending();
    const listed = await subjects();
    expect(listed).toHaveLength(MESSAGES);
    expect(listed.filter((subject) => subject === 'quick').length).toBeLessThan(MESSAGES / 2);
    // The next read parses the rest.
    await inbound.parsePending();
    expect(await subjects()).toEqual(Array(MESSAGES).fill('quick'));
  });
});
