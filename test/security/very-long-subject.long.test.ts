import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth, shorten } from '../../src/cli/output/display-width.js';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { openDashboard } from '../support/cli/terminal/dashboard.js';
import { openTerminal } from '../support/cli/terminal/terminal.js';
import { deliver } from '../support/mail/smtp-session.js';
import { parsed } from '../support/servers/server-calls.js';

/** Tests a subject of 900 KB: segmenting it as a whole would take minutes, more than the time limit of a test. */

const CHARACTERS = { wide: '日', accented: 'é', marks: 'a\u0301\u0302', family: '👩‍👩‍👧‍👦', 'marks alone': '\u0301' };
const BYTES = 900_000;

function subjectOf(character: string): string {
  return character.repeat(Math.floor(BYTES / Buffer.byteLength(character)));
}

/** Returns a message whose subject is folded into encoded words, as a subject of this length has to be. */
function mailWith(subject: string): string {
  const words = subject.match(/[\s\S]{1,300}/gu)?.map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`);
  return `Subject: ${words?.join('\r\n ')}\r\n\r\nx\r\n`;
}

describe('a subject of 900 KB', () => {
  const folder = temporaryDirectory();
  const env = { SVC_DATA_DIR: folder.path };
  let dev: DevServer;
  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path, '--plan', 'none']);
    // Encoding makes it longer, and a message's headers may have one megabyte.
    for (const character of ['日', 'é']) {
      const subject = subjectOf(character).slice(0, 230_000);
      const reply = await deliver(dev.ready.smtp, mailWith(subject));
      await parsed(dev.ready, /queued as (msg_\w+)/.exec(reply ?? '')?.[1] ?? `not accepted: ${reply}`);
    }
  });
  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  it('fits the terminal of emails list', async () => {
    const terminal = await openTerminal([process.execPath, BINARY, 'emails', 'list'], { env });
    try {
      const screen = await terminal.until(/ended with 0/);
      expect(screen.split('\n').filter((line) => /^…\w{6} .*…/.test(line))).toHaveLength(2);
    } finally {
      await terminal.close();
    }
  });

  it('is as long in a pipe as it was parsed', async () => {
    const { code, stdout } = await svc(['emails', 'list'], { env });
    expect(code).toBe(0);
    // A string of this size is too long for a report.
    expect(['日', 'é'].map((character) => stdout.includes(character.repeat(19_000)))).toEqual([true, true]);
  });

  it('does not block the keys of the dashboard', async () => {
    const own = temporaryDirectory();
    const dashboard = await openDashboard(own.path, { args: ['--plan', 'none'] });
    try {
      await dashboard.until(/No emails yet/);
      await deliver(dashboard.address().smtp, mailWith(subjectOf('日').slice(0, 230_000)));
      await dashboard.until(/日日/);
      dashboard.press('2');
      await dashboard.until(/\[Events \d+\]/);
      dashboard.press('?');
      await dashboard.until(/Keys:/);
    } finally {
      await dashboard.close();
      own.remove();
    }
  });
});

describe('text of 900 KB', () => {
  it.each(Object.entries(CHARACTERS))('of %s characters is measured and truncated quickly', (_, character) => {
    const text = subjectOf(character);

    expect(displayWidth(text)).toBeGreaterThanOrEqual(0);
    expect(displayWidth(shorten(`${text}end`, 40))).toBeLessThanOrEqual(40);
  });

  it('has the width that its characters have one by one, wherever it is split', () => {
    for (const [character, width] of [
      ['👩‍👩‍👧‍👦', 2],
      ['日', 2],
      ['é', 1],
      ['🇩🇪', 2],
      ['e\u0301', 1],
    ] as const) {
      for (const offset of [0, 1, 2, 3, 4]) {
        expect(displayWidth(`${'x'.repeat(offset)}${character.repeat(1_000)}`)).toBe(offset + width * 1_000);
      }
    }
  });
});
