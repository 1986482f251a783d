import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { deliverAll, queuedId } from '../support/mail/smtp-session.js';
import { data } from '../support/servers/server-calls.js';
import { acceptedDifferences, explanationOf } from './accepted-differences.js';
import { type Corpus, type CorpusMessage, corpora, isPresent, messagesOf } from './corpora.js';
import { differencesBetween, ENVELOPE_SENDER, envelopeOf } from './differences.js';
import { readBySecondParser, type SecondReading } from './second-parser.js';
import { readBySvc, type SvcReading } from './svc-reading.js';

/**
 * Tests real messages and the test messages of other parsers, over SMTP: kept unchanged, and read as another parser
 * reads them.
 */

const PAGE = 100;
const usedRules = new Set<string>();

interface Result {
  message: CorpusMessage;
  second: SecondReading;
  id: string;
  svc: SvcReading;
}

const withoutPython = skippedWithout('python3');

const parts = corpora.map((corpus) => {
  const skipped = withoutPython || skippedWithout(`the corpus of ${corpus.name}`, isPresent(corpus), corpus.install);
  return { corpus, skipped };
});

describe.each(parts.filter(({ skipped }) => !skipped))('the messages of $corpus.name', ({ corpus }) => {
  let dev: DevServer;
  let results: Result[];

  beforeAll(async () => {
    dev = await startDev(['--in-memory', '--plan', 'none']);
    results = await sendAll(dev, corpus);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
  });

  it('are accepted, and all of them are listed', async () => {
    expect(results.length).toBeGreaterThan(40);
    expect((await listedIds(dev)).sort()).toEqual(results.map(({ id }) => id).sort());
  });

  it('are kept byte for byte', () => {
    const changed = results.filter(({ message, svc }) => !svc.raw.equals(message.bytes));
    expect(changed.map(({ message }) => message.name)).toEqual([]);
  });

  it('are unreadable only where the second parser finds no header field either', () => {
    const unread = results.filter(({ svc }) => svc.parseError !== null);
    expect(unread.map(({ message }) => message.name)).toEqual(
      results.filter(({ second }) => second.headers === 0).map(({ message }) => message.name),
    );
  });

  it('have the subject, addresses, bodies and attachments that the second parser finds, or a reason for a difference', () => {
    const unexplained: string[] = [];
    for (const { message, second, svc } of results) {
      if (svc.parseError !== null) continue;
      for (const difference of differencesBetween(svc, second)) {
        const rule = explanationOf(difference, { raw: message.bytes.toString('latin1'), second });
        if (rule) usedRules.add(rule.reason);
        else unexplained.push(`${message.name}: ${difference.field}\n${firstDifference(difference)}`);
      }
    }
    expect(unexplained).toEqual([]);
  });
});

// Reported as skipped by name, with the reason, where a corpus is not installed; in CI its absence is an error.
for (const { corpus, skipped } of parts.filter((part) => part.skipped)) {
  it.skip(`the messages of ${corpus.name}${skipped}`);
}

// A part of the messages does not show every difference.
if (process.env.SVC_CORPUS === 'all') {
  it('needs each of the rules for differences', () => {
    expect(acceptedDifferences.map(({ reason }) => reason).filter((reason) => !usedRules.has(reason))).toEqual([]);
  });
}

async function sendAll(dev: DevServer, corpus: Corpus): Promise<Result[]> {
  const messages = messagesOf(corpus);
  const seconds = await readBySecondParser(messages.map(({ bytes }) => bytes));
  const deliveries = messages.map(({ bytes }, index) => ({ bytes, to: envelopeOf(seconds[index]!) }));
  const replies = await deliverAll(dev.ready.smtp, deliveries, ENVELOPE_SENDER);
  const ids = replies.map((reply, index) => {
    const id = queuedId(reply);
    if (!id) throw new Error(`${messages[index]?.name} was refused: ${reply}`);
    return id;
  });
  await untilSent(dev, ids);
  const results: Result[] = [];
  for (const [index, id] of ids.entries()) {
    const svc = await readBySvc(dev.ready, id);
    results.push({ message: messages[index]!, second: seconds[index]!, id, svc });
  }
  return results;
}

/** Waits until every message has been parsed: its first event follows that. */
async function untilSent(dev: DevServer, ids: readonly string[]): Promise<void> {
  const waiting = new Set(ids);
  while (waiting.size > 0) {
    const { value, done } = await dev.lines.next();
    if (done) throw new Error(`svc dev ended before it had parsed ${waiting.size} messages`);
    const event = JSON.parse(value);
    if (event.type === 'email.sent') waiting.delete(event.data.email_id);
  }
}

async function listedIds(dev: DevServer): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { emails } = await data(dev.ready, `/v1/emails?limit=${PAGE}&offset=${ids.length}`);
    if (emails.length === 0) return ids;
    ids.push(...emails.map(({ id }: { id: string }) => id));
  }
}

function firstDifference({ svc, second }: { svc: string; second: string }): string {
  let at = 0;
  while (at < svc.length && svc[at] === second[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 100));
  return `  svc:    ${around(svc)}\n  second: ${around(second)}`;
}
