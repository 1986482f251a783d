import { useStdout } from 'ink';
import { useEffect } from 'react';
import { isInForeground } from '../foreground.js';
import { clearScreen } from './alternate-screen.js';

/**
 * Draws everything anew when the process goes on after it was stopped (^Z, then fg): meanwhile the shell has written on the
 * screen, and may have changed how keys are read and the size of the terminal.
 */
export function useRedraw(): void {
  const { stdout, write } = useStdout();
  useEffect(() => {
    const onContinue = () => {
      // The system would stop a job in the background for changing a setting.
      if (!isInForeground()) return;
      readKeysAgain();
      process.emit('SIGWINCH', 'SIGWINCH');
      clearScreen(stdout);
      // What is written past ink has its last frame drawn after it.
      write('');
    };
    process.on('SIGCONT', onContinue);
    return () => {
      process.removeListener('SIGCONT', onContinue);
    };
  }, [stdout, write]);
}

/** Turned off first, because what is on already is not turned on again. */
function readKeysAgain(): void {
  if (!process.stdin.isRaw) return;
  process.stdin.setRawMode(false);
  process.stdin.setRawMode(true);
}
