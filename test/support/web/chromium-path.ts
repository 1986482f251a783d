import { existsSync } from 'node:fs';

/** Finds the browser of tests. */

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome'];
const INSTALL = 'Install Chromium, as with "apt-get install chromium", or set CHROME_PATH to the program.';

export const chromiumPath = process.env.CHROME_PATH ?? PATHS.find((path) => existsSync(path));

/** The reason to skip a test, to be added to its title; empty where a browser is available. */
export const withoutChromium = reason();

function reason(): string {
  if (chromiumPath !== undefined) return '';
  if (process.env.CI) throw new Error(`No Chromium found, and CI skips no test for that. ${INSTALL}`);
  return ` (skipped: no Chromium found. ${INSTALL})`;
}
