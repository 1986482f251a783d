import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserLaunchers, browserPaths, compilerAdvice, hasProc, hasSignals } from '../../src/system.js';
import { temporaryDirectory } from '../support/cli/binary.js';

/** Tests what differs between systems, with the paths of each of them, whichever system runs the test. */

describe('a browser is opened', () => {
  it('with the command of each system', () => {
    expect(browserLaunchers('http://a.test', {}, 'darwin')).toEqual([['open', 'http://a.test']]);
    expect(browserLaunchers('http://a.test', { DISPLAY: ':0' }, 'linux')).toEqual([['xdg-open', 'http://a.test']]);
    expect(browserLaunchers('http://a.test', { WSL_DISTRO_NAME: 'Debian' }, 'linux')).toEqual([
      ['wslview', 'http://a.test'],
    ]);
    expect(browserLaunchers('http://a.test', {}, 'linux')).toEqual([]);
  });

  it('on Windows with a path with a space and an ampersand as one argument', () => {
    const [[, ...args] = []] = browserLaunchers('C:\\Users\\R & D\\index.html', {}, 'win32');

    // The outer quotes are for cmd.exe, which removes them with /s.
    expect(args.join(' ')).toBe('/d /s /c "start "" "C:\\Users\\R & D\\index.html""');
  });
});

describe('a browser for pictures is searched', () => {
  it('in the folders of programs on Windows', () => {
    const env = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\R & D\\AppData\\Local' };
    const paths = browserPaths(env, 'win32');

    expect(paths).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
    expect(paths).toContain('C:\\Users\\R & D\\AppData\\Local\\Microsoft\\Edge\\Application\\msedge.exe');
    expect(paths).toHaveLength(6);
  });

  it('in the applications of the system and of the user on macOS', () => {
    const chrome = 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    const paths = browserPaths({ HOME: '/Users/ada' }, 'darwin');

    expect(paths).toEqual(expect.arrayContaining([`/${chrome}`, `/Users/ada/${chrome}`]));
  });

  it('in the absolute folders of PATH on Linux', () => {
    const paths = browserPaths({ PATH: ['bin', '/usr/bin'].join(delimiter) }, 'linux');

    expect(paths).toContain('/usr/bin/chromium');
    expect(paths.filter((path) => !path.startsWith('/'))).toEqual([]);
  });
});

describe('what compiles a native module', () => {
  it('is named for each system', () => {
    expect(compilerAdvice({}, 'win32')).toContain('Visual Studio');
    expect(compilerAdvice({}, 'darwin')).toContain('xcode-select --install');
    expect(compilerAdvice({ PATH: '/nowhere' }, 'linux')).toBe('Compiling it needs Python 3, make, a C++ compiler.');
  });

  it('is what PATH lacks on Linux, with the line that installs it', () => {
    const folder = temporaryDirectory();
    const advice = (...programs: string[]) => {
      for (const name of programs) writeFileSync(join(folder.path, name), '');
      return compilerAdvice({ PATH: folder.path }, 'linux');
    };

    expect(advice('python3', 'dnf')).toBe('Compiling it needs make, a C++ compiler: run "dnf install make gcc-c++".');
    expect(advice('make', 'clang++')).toBeUndefined();
    folder.remove();
  });
});

it('signals and /proc are used where the system has them', () => {
  const systems = ['linux', 'darwin', 'win32'] as const;
  expect(systems.map((system) => hasSignals(system))).toEqual([true, true, false]);
  expect(systems.map((system) => hasProc(system))).toEqual([true, false, false]);
});
