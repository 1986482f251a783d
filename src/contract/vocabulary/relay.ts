/**
 * How a connection to an SMTP server is encrypted: from the start (`tls`), by an upgrade that must succeed (`starttls`),
 * by an upgrade where the server offers one (`opportunistic`), or not at all.
 */
export const relayTlsModes = ['none', 'opportunistic', 'starttls', 'tls'] as const;
export type RelayTls = (typeof relayTlsModes)[number];
