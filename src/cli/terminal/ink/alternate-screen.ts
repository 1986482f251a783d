/**
 * Switches to the terminal's alternate screen (xterm's private mode 1049), which keeps the content of the normal
 * screen. Mode 2004 marks pasted text.
 */

const ENTER = '\u001b[?1049h\u001b[H\u001b[?2004h';
/** Switches with mode 1047 instead of 1049, which would save the cursor position again. */
const CLEAR = '\u001b[?1047h\u001b[2J\u001b[H\u001b[?25l\u001b[?2004h';
const LEAVE = '\u001b[?2004l\u001b[?1049l\u001b[?25h';

/** Clears the alternate screen. Switches to it again if the terminal has left it meanwhile. */
export function clearScreen(stdout: NodeJS.WriteStream): void {
  stdout.write(CLEAR);
}

/**
 * Switches to the alternate screen. Returns a function that switches back. The end of the process switches back too.
 */
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
