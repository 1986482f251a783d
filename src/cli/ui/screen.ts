/** The terminal's second screen (xterm's private mode 1049), so that the first one is left as it was. */

const ENTER = '\u001b[?1049h\u001b[H';
const LEAVE = '\u001b[?1049l\u001b[?25h';

/** Takes the screen; answers what gives it back, which happens by itself when the process ends. */
export function takeScreen(stdout: NodeJS.WriteStream): () => void {
  stdout.write(ENTER);
  const restore = () => {
    process.removeListener('exit', restore);
    stdout.write(LEAVE);
  };
  process.on('exit', restore);
  let taken = true;
  return () => {
    if (taken) restore();
    taken = false;
  };
}
