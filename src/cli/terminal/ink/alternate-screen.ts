/**
 * The terminal's second screen (xterm's private mode 1049), so that the first one is left as it was. On it, what is pasted is
 * marked as such (mode 2004).
 */

const ENTER = '\u001b[?1049h\u001b[H\u001b[?2004h';
/** Mode 1047 is 1049 without the cursor's place, which is still to be the one from before. */
const CLEAR = '\u001b[?1047h\u001b[2J\u001b[H\u001b[?25l\u001b[?2004h';
const LEAVE = '\u001b[?2004l\u001b[?1049l\u001b[?25h';

/** Empties the screen that was taken, and takes it again if it was given back meanwhile. */
export function clearScreen(stdout: NodeJS.WriteStream): void {
  stdout.write(CLEAR);
}

/** Takes the screen; answers what gives it back, which happens by itself when the process ends. */
export function enterAlternateScreen(stdout: NodeJS.WriteStream): () => void {
  stdout.write(ENTER);
  const restore = () => {
    process.removeListener('exit', restore);
    stdout.write(LEAVE);
  };
  process.on('exit', restore);
  let active = true;
  return () => {
    if (active) restore();
    active = false;
  };
}
