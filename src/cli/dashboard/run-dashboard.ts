import type { InternalErrorLog } from '../errors/internal-error-log.js';
import type { LocalServer } from '../server/local-server.js';
import type { Captured } from './summary.js';

/**
 * Shows the dashboard until the signal, then closes the server. The last lines on the terminal report what was
 * captured. @throws the error that ended the dashboard, once the server is closed.
 */
export async function runDashboard(
  server: LocalServer,
  { errorLog, signal }: { errorLog: InternalErrorLog; signal: AbortSignal },
): Promise<void> {
  // Loads the terminal's library only when a dashboard is shown.
  const { showDashboard } = await import('./dashboard-view.js');
  const { describeCaptured } = await import('./summary.js');
  // Quitting by key is the same as the signal: a second key or signal ends the process at once.
  const quit = () => process.emit('SIGINT', 'SIGINT');
  let captured: Captured;
  try {
    captured = await showDashboard(server, { errorLog, signal, quit });
  } finally {
    await server.close();
  }
  process.stdout.write(describeCaptured(captured, server.address.data_dir));
}
