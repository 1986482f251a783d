import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Finds an installed browser that Playwright can drive. */

const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`);
const WINDOWS_FILES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
const LINUX_COMMANDS = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];

/** Returns the path of a browser: `downloaded`, if Playwright downloaded it earlier, otherwise an installed one. */
export function findBrowser(env: NodeJS.ProcessEnv, downloaded: string): string | undefined {
  return [downloaded, ...candidates(env)].find(isExecutable);
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') {
    return ['/Applications', join(env.HOME ?? '/', 'Applications')].flatMap((folder) =>
      MAC_APPS.map((app) => join(folder, app)),
    );
  }
  if (process.platform === 'win32') {
    const folders = [env.LOCALAPPDATA, env.PROGRAMFILES, env['PROGRAMFILES(X86)']].filter((folder) => folder);
    return folders.flatMap((folder) => WINDOWS_FILES.map((file) => join(folder as string, file)));
  }
  // A relative folder would name a program in the working directory, which may be anyone's.
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  return [
    ...LINUX_COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/opt/google/chrome/chrome',
  ];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
