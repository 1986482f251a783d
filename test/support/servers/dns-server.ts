import dns2 from 'dns2';

/** Starts a DNS server on loopback that serves TXT records, with a library that svc does not use. */

export interface DnsServer {
  port: number;
  /** Records by name in lower case, each as its character-strings. */
  zone: Map<string, string[][]>;
  answerWith: 'zone' | 'SERVFAIL' | 'REFUSED';
  /** Names of the queries so far. */
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
          // The library's types allow one character-string per record; its encoder accepts several.
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

/** Splits a value into character-strings of at most 255 bytes (RFC 1035 section 3.3). */
export function inCharacterStrings(value: string): string[] {
  return value.match(/.{1,255}/gs) ?? [''];
}
