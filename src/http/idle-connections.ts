import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/**
 * Makes `closeIdleConnections` of a server leave connections whose response is not sent yet. Node.js treats a response
 * as sent when it was written to the socket, so clients that read slowly would lose the rest of it.
 */
export function keepUnsentResponses(server: Server): void {
  const sockets = new Set<Socket>();
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const sending = [...sockets].filter(({ writableLength }) => writableLength > 0);
    // Shadows the method of the class while Node.js calls it.
    for (const socket of sending) socket.destroy = () => socket;
    closeIdle();
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  };
}
