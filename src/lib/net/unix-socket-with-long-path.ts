/** Unix sockets at paths of any length: a path over the limit of the operating system is reached through a symbolic link. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Linux allows 107 bytes, macOS 103. */
const maxPathBytes = 100;

/** Listens on a socket file that does not exist yet. */
export async function listenOnUnixSocket(server: Server, path: string): Promise<void> {
  await withShortPath(
    path,
    (shortPath) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ path: shortPath, exclusive: true }, () => {
          server.off('error', reject);
          resolve();
        });
      }),
  );
}

/** Rejects with `ECONNREFUSED` when the process that listened has ended, and with `ENOENT` when there is no socket file. */
export function connectToUnixSocket(path: string): Promise<Socket> {
  return withShortPath(
    path,
    (shortPath) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(shortPath, () => {
          socket.off('error', reject);
          resolve(socket);
        });
        socket.once('error', reject);
      }),
  );
}

/** The link is local to this process; the socket file itself is in the folder of `path`, where other containers find it. */
async function withShortPath<T>(path: string, use: (shortPath: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= maxPathBytes) return use(path);
  const links = await mkdtemp(join(tmpdir(), 'duet-'));
  try {
    await symlink(dirname(path), join(links, 'd'));
    return await use(join(links, 'd', basename(path)));
  } finally {
    await rm(links, { recursive: true });
  }
}
