/** Explains in one line why the database could not be opened and what to do. The line never contains a password. */
import { splitMultiHostUrl } from '../lib/net/multi-host-url.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { isDiskAlmostFull } from './embedded/disk-space.ts';

interface DatabaseLocation {
  /** Connection URL of PostgreSQL; undefined for the embedded database. */
  url: string | undefined;
  dataDir: string;
}

/** Error to show to the operator. An OperatorError is returned unchanged. */
export function explainDbOpenError(error: unknown, { url, dataDir }: DatabaseLocation): OperatorError {
  if (error instanceof OperatorError) return error;
  const line =
    url === undefined
      ? `DATA_DIR: ${explainDirectoryError(error, dataDir)}`
      : `DATABASE_URL: ${explainServerError(error, url)}`;
  return new OperatorError(line, { cause: error });
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message.split('\n')[0] : '') || String(error);

function explainDirectoryError(error: unknown, dataDir: string): string {
  switch (codeOf(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `${dataDir} is a file. Name a folder, or one that does not exist yet.`;
    case 'EACCES':
    case 'EPERM':
      return `this user may not read and write ${dataDir}. Change its owner, or name another folder.`;
    case 'ENOENT':
      return `the folder ${dataDir} cannot be created there. Name another folder.`;
    case 'EROFS':
      return `${dataDir} is on a file system that is read-only. Name another folder.`;
    case 'ENOSPC':
    case '53100':
      return noSpaceLeft(dataDir);
    default:
      // PGlite reports only that PostgreSQL has exited.
      if (isDiskAlmostFull(dataDir)) return noSpaceLeft(dataDir);
      return `the database in ${dataDir} cannot be opened (${messageOf(error)}). Restore a backup with "duet restore", or name another folder.`;
  }
}

const noSpaceLeft = (dataDir: string) =>
  `no space is left on the disk of ${dataDir}. Free at least 32 MB and start again. Do not restore a backup: a full disk loses no committed data.`;

function explainServerError(error: unknown, url: string): string {
  const { hostname, port, username, pathname } = new URL(splitMultiHostUrl(url)[0] ?? url);
  const server = `${hostname || 'localhost'}:${port || 5432}`;
  const database = decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username);
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `nothing answers at ${server}. Start PostgreSQL there, or correct the address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host named ${hostname}. Correct the name, or check the DNS of this machine.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${server} cannot be reached. Check the address, the network and firewalls.`;
    case '28P01':
    case '28000':
      return `the server at ${server} refuses the user ${JSON.stringify(decodeURIComponent(username))}. Check the name, the password and pg_hba.conf.`;
    case '3D000':
      return `there is no database named ${JSON.stringify(database)} at ${server}. Make it with: createdb ${database}`;
    case '53300':
      return `the server at ${server} has no connection left. Lower DATABASE_POOL, or raise max_connections.`;
    case '42501':
      return `the user ${JSON.stringify(decodeURIComponent(username))} may not create tables. Let them own the database ${JSON.stringify(database)}.`;
    default:
      return explainServerMessage(messageOf(error), server);
  }
}

function explainServerMessage(message: string, server: string): string {
  if (/client password must be a/.test(message))
    return `the server at ${server} wants a password. Put it into the address.`;
  if (/timeout/i.test(message))
    return `${server} does not answer. Check the address, the network and firewalls.`;
  return `the server at ${server} cannot be used (${message}).`;
}
