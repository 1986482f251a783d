import dns2 from 'dns2';

/** A DNS server on loopback, of nobody here's making, that serves TXT records. */

export interface DnsServer {
  port: number;
  /** By name in lower case: the records, each in the character-strings it is sent as; or how every question is answered. */
  zone: Map<string, string[][]>;
  answerWith: 'zone' | 'SERVFAIL' | 'REFUSED';
  /** Names that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

const rcodes = { zone: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

export async function startDnsServer(): Promise<DnsServer> {
  const { Packet } = dns2;
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const name = request.questions[0]?.name.toLowerCase() ?? '';
      state.asked.push(name);
      const records = state.zone.get(name);
      const header = response as unknown as { header: { rcode: number } };
      header.header.rcode = records || state.answerWith !== 'zone' ? rcodes[state.answerWith] : rcodes.NXDOMAIN;
      if (state.answerWith === 'zone') {
        for (const strings of records ?? []) {
          const record = { name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 60, data: strings };
          // Its types know records of one character-string alone; its encoder takes several.
          response.answers.push(record as unknown as (typeof response.answers)[number]);
        }
      }
      send(response);
    },
  });
  const { udp } = (await server.listen({ udp: { port: 0, address: '127.0.0.1' } } as never)) as unknown as {
    udp: { port: number };
  };
  const state: DnsServer = {
    port: udp.port,
    zone: new Map(),
    answerWith: 'zone',
    asked: [],
    close: () => server.close() as unknown as Promise<void>,
  };
  return state;
}

/** A value in character-strings of at most 255 bytes (RFC 1035 section 3.3). */
export function inCharacterStrings(value: string): string[] {
  return value.match(/.{1,255}/gs) ?? [''];
}
