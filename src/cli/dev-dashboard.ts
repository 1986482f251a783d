import type { Captured } from './dashboard/summary.js';
import { findDataDir } from './data-dir.js';
import type { FaultReport } from './fault-report.js';
import type { LocalServer } from './local-server.js';

/**
 * Shows the dashboard until the signal, then closes the server. The last lines on the terminal say what was captured.
 * @throws what broke the dashboard, once the server is closed.
 */
export async function runDashboard(
  server: LocalServer,
  { dataDir, faults, signal }: { dataDir: string | null; faults: FaultReport; signal: AbortSignal },
): Promise<void> {
  // The terminal's library is loaded by those who see it alone.
  const { showDashboard } = await import('./dashboard/dashboard-view.js');
  const { describeCaptured } = await import('./dashboard/summary.js');
  // A key as good as the signal: a second one ends the process at once, whichever the first was.
  const quit = () => process.kill(process.pid, 'SIGINT');
  let captured: Captured;
  try {
    captured = await showDashboard(server, { dataDir, faults, signal, quit });
  } finally {
    await server.close();
  }
  process.stdout.write(describeCaptured(captured, dataDir, listCommand(dataDir)));
}

/** The command that finds this data directory from here. */
function listCommand(dataDir: string | null): string {
  const found = dataDir === null || findDataDir(undefined, process.env, process.cwd()) === dataDir;
  return `svc emails list${found ? '' : ` --data-dir ${dataDir}`}`;
}
