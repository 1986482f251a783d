import { existsSync } from 'node:fs';
import { skippedWithout } from '../cli/tools.js';

/** Finds the browser of tests. */

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome'];

export const chromiumPath = process.env.CHROME_PATH ?? PATHS.find((path) => existsSync(path));

/** The same engine without a window system, if it is installed: tests take a third less CPU time in it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
export const headlessPath = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : chromiumPath;

/** The reason to skip a test, to be added to its title; empty where a browser is available. */
export const withoutChromium = skippedWithout('chromium', chromiumPath !== undefined);
