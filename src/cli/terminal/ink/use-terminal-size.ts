import { useStdout } from 'ink';
import { useEffect, useState } from 'react';

/** Returns the terminal's size, and updates when it changes. */
export function useTerminalSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const measure = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const [size, setSize] = useState(measure);
  useEffect(() => {
    const resized = () => setSize(measure());
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  });
  return size;
}
