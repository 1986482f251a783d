import { lookup } from 'node:dns';

type Lookup = NonNullable<import('node:net').TcpSocketConnectOpts['lookup']>;

/**
 * Returns a function that resolves a host, and rejects it if any of its addresses is refused, so that a DNS name cannot
 * refer to a network that requests must not reach.
 * @param refusalOf returns why an address must not be reached
 */
export function guardedLookup(refusalOf: (host: string, address: string) => Error | undefined): Lookup {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const refusal = addresses?.map(({ address }) => refusalOf(host, address)).find((each) => each !== undefined);
      if (error || refusal) {
        callback(error ?? refusal ?? null, '', 0);
      } else if (options.all) {
        (callback as unknown as (error: null, all: typeof addresses) => void)(null, addresses);
      } else {
        callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      }
    });
  };
}
