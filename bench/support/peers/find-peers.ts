import { execFileSync } from 'node:child_process';
import { installMaildev, MAILDEV_VERSION, startMaildev } from './maildev.js';
import { startMailpit } from './mailpit.js';
import type { Peer } from './peer.js';
import { startSvcAsPeer } from './svc.js';

/** Starts svc and the other servers that are available. `skipped` has a sentence for each of the others. */
export async function findPeers(root: string): Promise<{ peers: Peer[]; skipped: string[] }> {
  const peers: Peer[] = [];
  const skipped: string[] = [];
  try {
    const installed = installMaildev();
    if (installed === undefined) skipped.push(`maildev ${MAILDEV_VERSION} skipped: npm could not install it.`);
    else peers.push(await startMaildev(installed));
    const mailpit = process.env.MAILPIT_BIN ?? onPath('mailpit');
    if (mailpit === undefined) skipped.push('Mailpit skipped: no mailpit on PATH, and MAILPIT_BIN is not set.');
    else peers.push(await startMailpit(mailpit));
    return { peers: [await startSvcAsPeer(root), ...peers], skipped };
  } catch (error) {
    for (const peer of peers) await peer.stop();
    throw error;
  }
}

function onPath(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
