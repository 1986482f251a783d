import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { compareWithBaseline } from '../../src/pictures/baseline.js';
import { openPictures } from '../../src/pictures/pictures.js';
import { skippedWithout } from '../support/cli/tools.js';
import { folderOfEachTest } from '../support/each-test.js';
import { headlessPath, withoutChromium } from '../support/web/chromium-path.js';

/** Tests pictures with SVC_FONTS on machines with other font settings, which FONTCONFIG_FILE simulates. */

const folder = folderOfEachTest();
const DEJAVU = '/usr/share/fonts/truetype/dejavu';
const skipped = withoutChromium || skippedWithout('DejaVu fonts', existsSync(DEJAVU), 'apt-get install fonts-dejavu');

/** Every word of it has other widths in other fonts. */
const HTML = ['Arial, sans-serif', 'Georgia, serif', 'Courier New, monospace', 'Inter', 'system-ui']
  .map((family) => `<p style="font-family: ${family}">Your order arrives on <b>Monday</b>. Größe: 42 €</p>`)
  .join('');

/** Returns the settings of a machine on which the usual names mean this family. */
function machine(family: string): string {
  const file = join(folder.path, `${family}.conf`);
  const aliases = ['sans-serif', 'serif', 'monospace', 'Arial', 'system-ui'].map(
    (name) => `<alias binding="same"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  );
  writeFileSync(file, `<fontconfig><dir>${DEJAVU}</dir>${aliases.join('')}</fontconfig>`);
  return file;
}

async function withBrowser<T>(
  more: Record<string, string>,
  use: (pictures: Awaited<ReturnType<typeof openPictures>>) => Promise<T>,
): Promise<T> {
  const env = { ...process.env, SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0', ...more };
  const pictures = await openPictures({ env });
  return use(pictures).finally(() => pictures.close());
}

const take = (env: Record<string, string>) =>
  withBrowser(env, async (pictures) => {
    const { png } = await pictures.take({ html: HTML, text: '' });
    return { pixels: PNG.sync.read(png).data, fonts: await pictures.fonts() };
  });

describe.skipIf(skipped)(`a set of fonts${skipped}`, () => {
  it('makes pixels equal on machines whose fonts differ', async () => {
    const machines = [machine('DejaVu Serif'), machine('DejaVu Sans Mono')].map((file) => ({ FONTCONFIG_FILE: file }));
    const [one, two] = await Promise.all(machines.map(take));
    expect(one?.pixels.equals(two?.pixels as Buffer)).toBe(false);

    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('svc-fonts-'));
    const [first, second] = await Promise.all(machines.map((each) => take({ ...each, SVC_FONTS: DEJAVU })));
    expect(first?.pixels.equals(second?.pixels as Buffer)).toBe(true);
    expect(first?.fonts).toMatch(
      /^Arial = DejaVu Sans; .*Georgia = DejaVu Serif; .*monospace = DejaVu Sans Mono; SVC_FONTS = [\da-f]{12}$/,
    );
    expect(second?.fonts).toBe(first?.fonts);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('svc-fonts-'))).toEqual(before);
  });

  it('is the first reason of a failure, if the baseline has another', async () => {
    const file = join(folder.path, 'order.png');
    const options = { howToUpdate: 'add --update' };
    const compare = (more: Record<string, string>, update: boolean) =>
      withBrowser(more, (pictures) =>
        compareWithBaseline(pictures, file, { html: HTML, text: '' }, { ...options, update }),
      );
    await compare({ SVC_FONTS: DEJAVU }, true);
    expect(await compare({ SVC_FONTS: DEJAVU }, false)).toMatchObject({ passed: true });
    const { message } = await compare({ FONTCONFIG_FILE: machine('DejaVu Serif') }, false);
    expect(message).toMatch(
      /^Another browser or other fonts draw other pixels: the fonts differ \(Arial was DejaVu Sans, now DejaVu Serif; .*\d more\)\. /,
    );
    expect(message.length).toBeLessThan(300);
  });

  it.each([
    ['does not exist', 'nowhere', 'it does not exist.'],
    ['contains no font', '.', 'it contains no .ttf, .otf or .ttc file.'],
  ])('that %s is refused', async (_, name, reason) => {
    const opening = withBrowser({ SVC_FONTS: join(folder.path, name) }, async () => {});
    await expect(opening).rejects.toThrow(reason);
  });
});
