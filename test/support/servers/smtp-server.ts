import { afterEach } from 'vitest';
import type { ReceivedMessage } from '../../../src/core/model/received.js';
import type { ListenerKind } from '../../../src/smtp/listeners.js';
import { createSmtpServer, type SmtpServerOptions, type SmtpService } from '../../../src/smtp/server.js';

interface Timer {
  milliseconds: number;
  run(): void;
  isCancelled: boolean;
}

export interface ListeningSmtp {
  address: { host: string; port: number };
  received: ReceivedMessage[];
  /** The timers that the server has set. They fire only when a test fires them. */
  timers: Timer[];
}

const servers: SmtpService[] = [];

/** Starts an SMTP server that keeps messages in an array instead of a store. It is closed after the test. */
export async function listenForSmtp(
  options: Partial<SmtpServerOptions> = {},
  kind: ListenerKind = 'smtp',
): Promise<ListeningSmtp> {
  const received: ReceivedMessage[] = [];
  const timers: Timer[] = [];
  const server = createSmtpServer({
    accept: async (message) => `msg_${received.push(message)}`,
    findKey: async () => ({ id: 'key_1', hash: '', rateLimit: 60, workspace: null }),
    attempts: { check: (_attempt, isRight) => isRight() },
    isWorkspace: async () => false,
    onConnection: () => {},
    after: (milliseconds, run) => {
      const timer = { milliseconds, run, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    onInternalError: () => {},
    ...options,
  });
  servers.push(server);
  return { address: await server.listenAlso(kind, { host: '127.0.0.1', port: 0 }), received, timers };
}

export function closeSmtpServersAfterEach(): void {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
}
