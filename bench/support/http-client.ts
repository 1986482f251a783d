import { createConnection, type Socket } from 'node:net';

/**
 * A kept-alive HTTP/1.1 connection that repeats one request with as little work as possible, so that mostly the server
 * is measured. It reads only responses with a Content-Length.
 */
export class HttpClient {
  #rest = '';
  #waiting: { resolve(): void; reject(error: Error): void } | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly request: Buffer,
    private readonly status: number,
  ) {
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  /** Returns a client that POSTs `body` in every request, and expects `status`. */
  static post(port: number, path: string, apiKey: string, body: unknown, status: number): HttpClient {
    const json = JSON.stringify(body);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
    ].join('\r\n');
    return new HttpClient(createConnection({ port, host: '127.0.0.1' }), Buffer.from(`${head}\r\n\r\n${json}`), status);
  }

  /** Sends the request and resolves when its response is complete. */
  exchange(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.socket.write(this.request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.socket.destroy();
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#rest.slice(0, end))?.[1]);
    if (this.#rest.length < end + 4 + length) return;
    const status = this.#rest.slice(9, 12);
    const answer = this.#rest.slice(end + 4);
    this.#rest = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (status === String(this.status)) waiting?.resolve();
    else waiting?.reject(new Error(`${status}: ${answer}`));
  }
}
