/**
 * How a connection to an SMTP server is encrypted: from the start (`tls`), by an upgrade that must succeed (`starttls`),
 * by an upgrade where the server offers one (`opportunistic`), or not at all.
 */
export const relayTlsModes = ['none', 'opportunistic', 'starttls', 'tls'] as const;
export type RelayTls = (typeof relayTlsModes)[number];

/** Formats host and port of an SMTP server. */
export function relayName({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
