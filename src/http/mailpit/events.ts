import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SearchDocument } from '../../core/model/search.js';
import type { Committed } from '../../core/store.js';
import { HeartbeatSignal, heartbeat } from '../../core/streams/server-sent-events.js';
import type { MailpitCall } from './calls.js';
import { summaryOf } from './forms.js';
import { countsOf } from './messages.js';
import { versionOf } from './server-routes.js';

/** Reports changes of emails to the WebSockets at /api/events. */

export const EVENTS_PATH = '/api/events';

/** Clients have nothing to say. */
const RECEIVED_BYTES_MAX = 1_024;
/** Number of deleted emails to report one by one. Instead of more, clients are asked to read the list again. */
const DELETIONS_MAX = 200;
/** Number of changed emails that wait for a slow client. Instead of more, it is asked to read the list again. */
const PENDING_MAX = 1_000;
const READ_AT_ONCE = 20;
/** Number of emails whose state a connection remembers, to report what has changed. */
const REMEMBERED_MAX = 10_000;
/** Milliseconds that a client has to answer the end of a connection. */
const END_MS = 1_000;
/** Close codes of RFC 6455, section 7.4.1. */
const [GOING_AWAY, POLICY_VIOLATION] = [1_001, 1_008];

/** A connection that its client wants to upgrade. */
interface Upgrade {
  socket: Socket;
  head: Buffer;
}

/** Opens a WebSocket, whose request passes the hooks of every other route. */
export interface WebSockets {
  /** Answers a request. `serve` gets the WebSocket with a signal that fires when its client is gone. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    serve: (socket: WebSocket, closed: AbortSignal) => Promise<void>,
  ): FastifyReply;
}

/** Routes requests for a WebSocket at EVENTS_PATH. Other requests with Upgrade, such as for HTTP/2, are answered without. */
export function acceptWebSockets(server: FastifyInstance): WebSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: RECEIVED_BYTES_MAX });
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isForWebSocket(request)) return server.server.emit('connection', withoutUpgrade(request, socket, head));
    // A client that disconnects is not an error of the server.
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    server.routing(request, response);
  });
  return {
    open({ raw }, reply, serve) {
      const upgrade = upgrades.get(raw);
      if (!upgrade) {
        return reply
          .code(400)
          .header('sec-websocket-version', '13')
          .type('text/plain; charset=utf-8')
          .send(BAD_REQUEST);
      }
      reply.hijack();
      reply.raw.detachSocket(upgrade.socket);
      sockets.handleUpgrade(raw, upgrade.socket, upgrade.head, (socket) => {
        const closed = new AbortController();
        socket.once('close', () => closed.abort());
        // The library closes the connection after an error.
        socket.on('error', () => {});
        void serve(socket, closed.signal);
      });
      return reply;
    },
  };
}

const BAD_REQUEST = 'Bad Request\n';

function isForWebSocket({ method, url = '', headers }: IncomingMessage): boolean {
  // The router removes a base path.
  const [path] = url.split('?');
  return method === 'GET' && path?.endsWith(EVENTS_PATH) === true && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Returns a connection from which the server reads the request again, as one that does not ask for another protocol. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Socket, rest: Buffer) {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() === 'upgrade') continue;
    const options = name.toLowerCase() === 'connection' ? value.split(',').filter(isNoUpgrade).join(',') : value;
    if (options !== '' || value === '') lines.push(`${name}: ${options}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  return socket;
}

const isNoUpgrade = (option: string) => option.trim().toLowerCase() !== 'upgrade';

/** Sends changes of emails until the signal fires. `newAfter` is the number of the newest email before the connection. */
export async function reportChanges(
  socket: WebSocket,
  context: MailpitCall,
  { newAfter, signal }: { newAfter: number; signal: AbortSignal },
): Promise<void> {
  const write = promisify((text: string, done: (error?: Error) => void) => socket.send(text, done));
  const changes = new Changes(context, newAfter, signal);
  try {
    await write(await statistics(context));
    while (!signal.aborted) {
      if (await changes.wait()) socket.ping();
      // Each message waits until the connection has taken the one before, so that a slow client fills no memory.
      for await (const text of changes.take()) {
        if (signal.aborted) break;
        await write(text);
      }
    }
  } finally {
    changes.close();
    socket.close(context.stopping.aborted ? GOING_AWAY : POLICY_VIOLATION);
    context.clock.after(END_MS, () => socket.terminate());
  }
}

interface State {
  seq: number;
  read: boolean;
  tags: string;
}

/** Collects the emails that commits have changed, and finds out what has changed. */
class Changes {
  #emails = new Set<string>();
  /** Whether single changes are not known, because there were too many or everything was replaced. */
  #isUnknown = false;
  #hasDeleted = false;
  readonly #known = new Map<string, State>();
  readonly #signal: HeartbeatSignal;
  readonly #unsubscribe: () => void;

  constructor(
    private readonly context: MailpitCall,
    private newAfter: number,
    signal: AbortSignal,
  ) {
    this.#signal = new HeartbeatSignal({ signal, idle: heartbeat(context.clock) });
    this.#unsubscribe = context.store.onCommit((committed) => this.#add(committed));
  }

  #add({ emails, deleted, replaced }: Committed): void {
    if (emails.length === 0 && !replaced) return;
    for (const id of emails) this.#emails.add(id);
    if (replaced || this.#emails.size > PENDING_MAX) {
      this.#emails.clear();
      this.#isUnknown = true;
    }
    if (deleted || replaced) this.#hasDeleted = true;
    this.#signal.notify();
  }

  /** Waits for a change. Returns whether a heartbeat is due. */
  wait(): Promise<boolean> {
    return this.#signal.wait();
  }

  /** Yields messages about the changes so far. */
  async *take(): AsyncGenerator<string> {
    const { context } = this;
    const [emails, isUnknown, hasDeleted] = [[...this.#emails], this.#isUnknown, this.#hasDeleted];
    this.#emails.clear();
    this.#isUnknown = false;
    this.#hasDeleted = false;
    if (emails.length === 0 && !isUnknown) return;
    await context.parsePending();
    await context.extractPending('shown', emails);
    let isChanged = isUnknown || hasDeleted;
    const gone: string[] = [];
    for (let from = 0; from < emails.length; from += READ_AT_ONCE) {
      const ids = emails.slice(from, from + READ_AT_ONCE);
      const found = new Map((await context.store.read.emails.documents(ids)).map((email) => [email.id, email]));
      for (const id of ids) {
        const email = found.get(id);
        if (!email) gone.push(id);
        for (const text of email ? await this.#changesOf(email) : []) {
          isChanged = true;
          yield text;
        }
      }
    }
    // A key of a workspace must not see the IDs of others.
    const deleted = hasDeleted ? gone.filter((id) => context.key.workspace === null || this.#known.has(id)) : [];
    for (const id of gone) this.#known.delete(id);
    const isIncomplete = hasDeleted && deleted.length < gone.length;
    if (isUnknown || isIncomplete || deleted.length > DELETIONS_MAX) yield message('prune', null);
    else for (const ID of deleted) yield message('delete', { ID });
    if (hasDeleted && (await countsOf(context)).total === 0) yield message('truncate', null);
    if (isChanged) yield await statistics(context);
  }

  async #changesOf(email: SearchDocument): Promise<string[]> {
    const { id, seq, read, extracts } = email;
    const tags = [...new Set(email.tags)];
    const before = this.#known.get(id);
    // It is reported when it is parsed.
    if (!before && extracts === undefined) return [];
    this.#remember(id, { seq, read, tags: tags.join() });
    if (before) {
      return [
        ...(before.read === read ? [] : [message('update', { ID: id, Read: read })]),
        ...(before.tags === tags.join() ? [] : [message('update', { ID: id, Tags: tags })]),
      ];
    }
    if (seq <= this.newAfter) return [message('update', { ID: id, Read: read, Tags: tags })];
    const attachments = email.attachments.length === 0 ? [] : await this.context.store.read.emails.attachments(id);
    const { To, Cc, Bcc, ...others } = summaryOf(email, attachments, []);
    return [message('new', { ...others, To: To ?? [], Cc: Cc ?? [], Bcc: Bcc ?? [] })];
  }

  #remember(id: string, state: State): void {
    this.#known.set(id, state);
    const [oldest] = this.#known.size > REMEMBERED_MAX ? this.#known : [];
    if (!oldest) return;
    this.#known.delete(oldest[0]);
    this.newAfter = Math.max(this.newAfter, oldest[1].seq);
  }

  close(): void {
    this.#unsubscribe();
    this.#signal.close();
  }
}

async function statistics(context: MailpitCall): Promise<string> {
  const { total, unread } = await countsOf(context);
  return message('stats', { Total: total, Unread: unread, Version: versionOf(context) });
}

function message(type: string, data: object | null): string {
  return JSON.stringify({ Type: type, Data: data });
}
