import type { Ready } from '../../support/cli/binary.js';
import { type Mail, sendByRest, sendBySmtp } from '../load.js';

/** The server for the next connection. */
export type AnyServer = () => Promise<Pick<Ready, 'base_url' | 'api_key' | 'smtp'>>;

export interface KillPlan {
  /** How often servers are killed. The load ends after the last time. */
  kills: number;
  /** The number of clients over SMTP, and as many over REST. */
  sendersEach: number;
  /** Returns the number of acknowledged emails from one kill to the next. */
  between(): number;
  /** Kills servers, and resolves when others have taken their place. */
  kill(): Promise<void>;
}

export interface Load {
  /** Every email that a client began to send, by subject. */
  sent: Map<string, Mail>;
  /** The subjects of those that a server has acknowledged. */
  acknowledged: Set<string>;
  /** The subjects of those that a server has refused, with its answer. */
  refused: string[];
}

/** Sends emails over SMTP and REST while servers are killed. Clients whose server is gone continue at any other. */
export async function loadWithKills(any: AnyServer, { kills, sendersEach, between, kill }: KillPlan): Promise<Load> {
  const sent = new Map<string, Mail>();
  const acknowledged = new Set<string>();
  const refused: string[] = [];
  let made = 0;
  let killed = 0;
  let untilKill = between();
  let killing: Promise<void> | undefined;
  const sender = {
    next(): Mail | undefined {
      if (killed >= kills) return undefined;
      made += 1;
      const subject = `mail ${made}`;
      const recipients = made % 5 === 0 ? ['ada@example.test', 'bob@example.test'] : ['ada@example.test'];
      const mail = { subject, recipients };
      sent.set(subject, mail);
      return mail;
    },
    acknowledged({ subject }: Mail) {
      acknowledged.add(subject);
      untilKill -= 1;
      if (untilKill > 0 || killing) return;
      killing = kill().finally(() => {
        untilKill = between();
        killing = undefined;
        killed += 1;
      });
    },
    refused: ({ subject }: Mail, code: number) => void refused.push(`${subject}: ${code}`),
  };
  const repeat = async (send: (server: Awaited<ReturnType<AnyServer>>) => Promise<void>) => {
    while (killed < kills) await send(await any());
  };
  const senders = Array.from({ length: sendersEach }, () => [
    repeat((server) => sendBySmtp(server, sender, { logIn: true })),
    repeat((server) => sendByRest(server, sender)),
  ]);
  await Promise.all(senders.flat());
  await killing;
  return { sent, acknowledged, refused };
}
