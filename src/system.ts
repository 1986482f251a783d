import { existsSync } from 'node:fs';
import { delimiter, posix, win32 } from 'node:path';

/** What differs between Linux, macOS and Windows. No other file asks which of them this is, except to name it. */

type System = NodeJS.Platform;

/** Whether a process can be suspended, continued, and ended by a signal that tells why. On Windows, any signal ends it. */
export function hasSignals(system: System = process.platform): boolean {
  return system !== 'win32';
}

/** Whether the files of /proc describe processes. */
export function hasProc(system: System = process.platform): boolean {
  return system === 'linux';
}

/** Whether browsers find fonts with fontconfig. */
export function hasFontconfig(system: System = process.platform): boolean {
  return system === 'linux';
}

/** A program with its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** Returns the commands that open a file or an http address in the user's browser. */
export function browserLaunchers(
  target: string,
  env: NodeJS.ProcessEnv,
  system: System = process.platform,
): CommandLine[] {
  if (system === 'darwin') return [['open', target]];
  // Windows gets the words joined with spaces: cmd.exe does not understand the quotes that Node adds. `start` takes its
  // first quoted argument as the title of a window.
  if (system === 'win32') return [['cmd.exe', '/d', '/s', '/c', `"start "" "${target}""`]];
  if (env.WSL_DISTRO_NAME) return [['wslview', target]];
  // Without a display, xdg-open would start a browser in this terminal.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? [['xdg-open', target]] : [];
}

const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
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

/** Returns the paths at which Chrome, Chromium or Edge may be installed, the preferred one first. */
export function browserPaths(env: NodeJS.ProcessEnv, system: System = process.platform): string[] {
  if (system === 'darwin') {
    return ['/Applications', posix.join(env.HOME ?? '/', 'Applications')].flatMap((folder) =>
      MAC_APPS.map((app) => posix.join(folder, `${app}.app/Contents/MacOS/${app}`)),
    );
  }
  if (system === 'win32') {
    const folders = [env.LOCALAPPDATA, env.PROGRAMFILES, env['PROGRAMFILES(X86)']].filter((folder) => folder);
    return folders.flatMap((folder) => WINDOWS_FILES.map((file) => win32.join(folder as string, file)));
  }
  // A relative folder would name a program in the working directory, which may be anyone's.
  const folders = (env.PATH ?? '').split(delimiter).filter(posix.isAbsolute);
  return [
    ...LINUX_COMMANDS.flatMap((name) => folders.map((folder) => posix.join(folder, name))),
    '/opt/google/chrome/chrome',
  ];
}

/** What compiles a native module. The package of the compiler differs between systems. */
const TOOLS = [
  { name: 'Python 3', programs: ['python3', 'python'], package: 'python3' },
  { name: 'make', programs: ['make'], package: 'make' },
  { name: 'a C++ compiler', programs: ['c++', 'g++', 'clang++'] },
];
const INSTALLERS = [
  { program: 'apt-get', install: 'apt-get install', compiler: 'g++' },
  { program: 'dnf', install: 'dnf install', compiler: 'gcc-c++' },
  { program: 'apk', install: 'apk add', compiler: 'g++' },
];

/** Returns what to install before a native module can be compiled; undefined where nothing is missing. */
export function compilerAdvice(env: NodeJS.ProcessEnv, system: System = process.platform): string | undefined {
  if (system === 'win32') return 'Compiling it needs Python and the Build Tools for Visual Studio.';
  if (system === 'darwin') return 'Compiling it needs Python and Xcode’s tools ("xcode-select --install").';
  const folders = env.PATH?.split(delimiter) ?? [];
  const isOnPath = (program: string) => folders.some((folder) => existsSync(posix.join(folder, program)));
  const missing = TOOLS.filter(({ programs }) => !programs.some(isOnPath));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(', ');
  const installer = INSTALLERS.find(({ program }) => isOnPath(program));
  if (!installer) return `Compiling it needs ${names}.`;
  const packages = missing.map((tool) => tool.package ?? installer.compiler).join(' ');
  return `Compiling it needs ${names}: run "${installer.install} ${packages}".`;
}
