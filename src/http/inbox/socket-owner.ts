import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** Finds the user that a loopback connection belongs to, where the system lists it. See proc(5), /proc/net/tcp. */

/** The ends of a connection, as the server sees them. */
export interface Connection {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localAddress?: string | undefined;
  localPort?: number | undefined;
}

const ESTABLISHED = '01';
/** Stands for every user that a user namespace has no number for. */
const OVERFLOW_UID = 65_534;
/** The inode of a socket that no process has. Its user is listed as 0. */
const NO_INODE = '0';

/** Returns whether the client of a connection runs as the same user as this process; false if that is not listed. */
export async function isOwnConnection(connection: Connection): Promise<boolean> {
  const uid = process.getuid?.();
  if (uid === undefined || uid === OVERFLOW_UID) return false;
  return (await peerUid(connection)) === uid;
}

/** Returns whether this system lists the users of connections. */
export async function listsOwners(): Promise<boolean> {
  return process.getuid !== undefined && (await readFile(TABLES.ipv4, 'utf8').catch(() => '')) !== '';
}

const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' };
const IPV6_LOOPBACK = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
/** The start of an IPv4 address in IPv6 form. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Returns the user of the client's socket: the one whose local address is the server's remote address. */
async function peerUid(connection: Connection): Promise<number | undefined> {
  const peer = bytesOf(connection.remoteAddress);
  const own = bytesOf(connection.localAddress);
  if (!peer || !own) return undefined;
  const uid = await find(TABLES.ipv6, [...peer], [...own], connection);
  if (uid !== undefined || !isMapped(peer) || !isMapped(own)) return uid;
  return find(TABLES.ipv4, peer.slice(MAPPED.length), own.slice(MAPPED.length), connection);
}

async function find(
  table: string,
  peer: number[],
  own: number[],
  { remotePort = 0, localPort = 0 }: Connection,
): Promise<number | undefined> {
  const local = `${hexAddress(peer)}:${hexPort(remotePort)}`;
  const remote = `${hexAddress(own)}:${hexPort(localPort)}`;
  const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1);
  for (const line of lines) {
    if (!line.includes(local)) continue;
    const [, localAddress, remoteAddress, state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (localAddress !== local || remoteAddress !== remote) continue;
    return state === ESTABLISHED && inode !== NO_INODE ? Number(uid) : undefined;
  }
  return undefined;
}

/** Returns a loopback address as 16 bytes; undefined for any other. */
function bytesOf(address = ''): number[] | undefined {
  if (address === '::1') return IPV6_LOOPBACK;
  const ipv4 = /^(?:::ffff:)?(127)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address);
  return ipv4 ? [...MAPPED, ...ipv4.slice(1).map(Number)] : undefined;
}

function isMapped(bytes: readonly number[]): boolean {
  return MAPPED.every((byte, index) => bytes[index] === byte);
}

/** The kernel prints addresses as words of 32 bits in the machine's byte order. */
function hexAddress(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4);
    if (endianness() === 'LE') word.reverse();
    text += Buffer.from(word).toString('hex').toUpperCase();
  }
  return text;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
