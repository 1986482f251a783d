import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Returns the process that listens on a TCP port, such as `node (pid 4242)`, if this user may see it. Reads /proc, so
 * it finds nothing on other systems.
 */
export function portOwner(port: number): string | undefined {
  try {
    const inode = listeningInode(port);
    if (!inode) return undefined;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (holdsSocket(pid, inode)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
    }
  } catch {
    // /proc is missing or not readable: the message omits the process.
  }
  return undefined;
}

/**
 * Returns the inode of the listening socket. State 0A is LISTEN; the local address ends with the port in hexadecimal.
 * See proc(5), /proc/net/tcp.
 */
function listeningInode(port: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(suffix) && fields[3] === '0A') return fields[9];
    }
  }
  return undefined;
}

function holdsSocket(pid: string, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}
