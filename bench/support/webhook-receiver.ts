import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Times of the machine's monotonic clock, in nanoseconds. */
interface Arrivals {
  first: bigint;
  last: bigint;
}

export interface WebhookReceiver {
  url: string;
  /**
   * Starts to count; resolves once it does, with a promise for the times of the first and the last of this many
   * requests.
   */
  expect(count: number): Promise<{ arrivals: Promise<Arrivals> }>;
  stop(): Promise<void>;
}

/** Starts bench/bare/receiver. */
export async function startWebhookReceiver(root: string): Promise<WebhookReceiver> {
  const child = spawn(process.execPath, [join(root, 'bench/bare/receiver.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, string>;
  const { port } = await next();
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async expect(count) {
      child.stdin.write(`${count}\n`);
      await next();
      return { arrivals: next().then(({ first, last }) => ({ first: BigInt(first ?? 0), last: BigInt(last ?? 0) })) };
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
