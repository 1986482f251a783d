import { lazy } from '../contract/vocabulary/lazy.js';
import type { OutboundHosts } from '../core/account/outbound-hosts.js';
import type { SendOverSmtp } from '../core/outgoing-mail.js';
import type { ComposeMessage, DeliveredCopy, Post, RelayedCopy, RequestLink, StateArchive } from '../core/ports.js';

/** Loads adapters on first use, because most commands that run a server in their own process need none of them. */

export const archive: StateArchive = {
  async *pack(manifest, snapshot) {
    yield* (await import('../archive/state-archive.js')).packState(manifest, snapshot);
  },
  unpack: async (bytes, maxBytes) => (await import('../archive/state-archive.js')).unpackState(bytes, maxBytes),
};

export const compose: ComposeMessage = async (composition) =>
  (await import('../mime/compose.js')).composeMessage(composition);

export const deliveredCopy: DeliveredCopy = async (...input) =>
  (await import('../mime/delivered-copy.js')).deliveredCopy(...input);

export const relayedCopy: RelayedCopy = async (...input) =>
  (await import('../mime/delivered-copy.js')).relayedCopy(...input);

export const sendOverSmtp: SendOverSmtp = async (...input) =>
  (await import('../relay/smtp-client.js')).sendOverSmtp(...input);

/** Returns a function that posts webhooks, and one that closes its connections. */
export function createLazyPost(hosts: OutboundHosts): { post: Post; close(): Promise<void> } {
  const loaded = lazy(async () => (await import('../http/outbound/post.js')).createPost(hosts));
  return {
    post: (request) =>
      loaded().then(
        ({ post }) => post(request),
        // Recorded like any failed attempt, and retried on schedule.
        (error: Error) => ({ status: null, headers: {}, body: '', error: `svc could not connect: ${error.message}` }),
      ),
    close: async () => (await loaded.loaded()?.catch(() => undefined))?.close(),
  };
}

/** Returns a function that requests links. It keeps no connections. */
export function createLazyLinkRequest(userAgent: string, hosts: OutboundHosts): RequestLink {
  return async (request) => (await import('../http/outbound/request-link.js')).requestLink(request, userAgent, hosts);
}
