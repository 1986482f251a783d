import { installMaildev, MAILDEV_VERSION, startMaildev } from './maildev.js';
import { installMailpit, MAILPIT_VERSION, startMailpit } from './mailpit.js';
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
    const mailpit = process.env.MAILPIT_BIN ?? installMailpit(root);
    if (mailpit === undefined)
      skipped.push(`Mailpit ${MAILPIT_VERSION} skipped: Go is missing, or could not build it.`);
    else peers.push(await startMailpit(mailpit));
    return { peers: [await startSvcAsPeer(root), ...peers], skipped };
  } catch (error) {
    for (const peer of peers) await peer.stop();
    throw error;
  }
}
