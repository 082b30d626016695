/**
 * The embedded database has one process. While a gateway is that process, it takes commands on a socket in `DATA_DIR`:
 * who may open it may read the database's files anyway.
 */
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '../lib/operator-errors.ts';
import { type CommandContext, type DatabaseCommand, UsageError } from './command.ts';

interface Request {
  name: string;
  args: readonly string[];
  cwd: string;
}

/** One line of JSON each, after one line that asks. */
type Line = { write: string } | { done: true } | { failed: string; as: 'usage' | 'operator' | 'fault' };

const socketOf = (dataDir: string) => join(dataDir, 'control.sock');
/** Systems cut longer names short. */
const maxSocketName = 100;

export type CommandLookup = (name: string) => Promise<DatabaseCommand> | undefined;

/** Takes commands until it is closed; undefined where the folder's name is too long for a socket. */
export async function listenForCommands(
  dataDir: string,
  desk: Pick<CommandContext, 'config' | 'db'>,
  find: CommandLookup,
): Promise<Server | undefined> {
  const path = socketOf(dataDir);
  if (Buffer.byteLength(path) > maxSocketName) return undefined;
  await rm(path, { force: true });
  const server = createServer((socket) => void serve(socket, desk, find));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return server.unref();
}

async function serve(
  socket: Socket,
  desk: Pick<CommandContext, 'config' | 'db'>,
  find: CommandLookup,
): Promise<void> {
  const say = (line: Line) => void socket.write(`${JSON.stringify(line)}\n`);
  try {
    for await (const text of linesOf(socket)) {
      const { name, args, cwd } = JSON.parse(text) as Request;
      const run = await find(name);
      await run?.({ ...desk, cwd, write: (written) => say({ write: written }) }, args);
      say({ done: true });
      break;
    }
  } catch (error) {
    say({ failed: error instanceof Error ? error.message : String(error), as: kindOf(error) });
  }
  socket.end();
}

/** They end when the other side is gone. Both the socket and its reader tell of that, and who is not heard ends the process. */
function linesOf(socket: Socket): AsyncIterable<string> {
  socket.on('error', () => socket.destroy());
  return createInterface(socket).on('error', () => {});
}

function kindOf(error: unknown): 'usage' | 'operator' | 'fault' {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) return 'usage';
  return error instanceof OperatorError ? 'operator' : 'fault';
}

/** Has the gateway that holds the data folder run a command; false when there is none. */
export async function runInGateway(
  dataDir: string,
  request: Request,
  write: (text: string) => void,
): Promise<boolean> {
  const socket = await connected(socketOf(dataDir));
  if (!socket) return false;
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const text of linesOf(socket)) {
    const line = JSON.parse(text) as Line;
    if ('write' in line) write(line.write);
    else if ('done' in line) return true;
    else throw line.as === 'usage' ? new UsageError(line.failed) : new OperatorError(line.failed);
  }
  throw new OperatorError('The gateway stopped before the command was done.');
}

function connected(path: string): Promise<Socket | undefined> {
  if (Buffer.byteLength(path) > maxSocketName) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
