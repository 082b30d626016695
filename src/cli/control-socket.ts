/**
 * Control socket in `DATA_DIR`. Only one process can open the embedded database; while a gateway has it open, it runs the commands of
 * other processes. The socket has the same access rights as the database files.
 */
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectToUnixSocket, listenOnUnixSocket } from '../lib/net/unix-socket-with-long-path.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { type CommandContext, type DatabaseCommand, UsageError } from './command-types-and-usage-error.ts';

interface Request {
  name: string;
  args: readonly string[];
  cwd: string;
  colours?: boolean;
}

/** Response line. The client sends one line with a Request; the gateway responds with JSON lines. */
type Line =
  | { write: string }
  | { progress: string }
  | { done: true }
  | { failed: string; as: 'usage' | 'operator' | 'fault' };

const socketPath = (dataDir: string) => join(dataDir, 'control.sock');

type FindCommandByName = (name: string) => Promise<DatabaseCommand> | undefined;

/** Accepts commands until the server is closed. */
export async function listenForCommands(
  dataDir: string,
  context: Pick<CommandContext, 'config' | 'db'>,
  findCommand: FindCommandByName,
): Promise<Server> {
  const path = socketPath(dataDir);
  await rm(path, { force: true });
  const server = createServer((socket) => void serve(socket, context, findCommand));
  await listenOnUnixSocket(server, path);
  await chmod(path, 0o600);
  return server.unref();
}

async function serve(
  socket: Socket,
  context: Pick<CommandContext, 'config' | 'db'>,
  findCommand: FindCommandByName,
): Promise<void> {
  const send = (line: Line) => void socket.write(`${JSON.stringify(line)}\n`);
  try {
    for await (const text of linesOf(socket)) {
      const { name, args, cwd, colours = false } = JSON.parse(text) as Request;
      const run = await findCommand(name);
      const output = {
        write: (text: string) => send({ write: text }),
        progress: (text: string) => send({ progress: text }),
      };
      await run?.({ ...context, ...output, cwd, colours }, args);
      send({ done: true });
      break;
    }
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error), as: errorKind(error) });
  }
  socket.end();
}

/** Lines of the socket until the peer disconnects. Both the socket and its reader emit errors; an unhandled one would end the process. */
function linesOf(socket: Socket): AsyncIterable<string> {
  socket.on('error', () => socket.destroy());
  return createInterface(socket).on('error', () => {});
}

function errorKind(error: unknown): 'usage' | 'operator' | 'fault' {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) return 'usage';
  return error instanceof OperatorError ? 'operator' : 'fault';
}

/** Runs a command in the gateway that has the data folder open; false when no gateway is running there. */
export async function runCommandInGateway(
  dataDir: string,
  request: Request,
  write: (text: string) => void,
  progress?: (text: string) => void,
): Promise<boolean> {
  const socket = await connectToUnixSocket(socketPath(dataDir)).catch(() => undefined);
  if (!socket) return false;
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const text of linesOf(socket)) {
    const line = JSON.parse(text) as Line;
    if ('write' in line) write(line.write);
    else if ('progress' in line) progress?.(line.progress);
    else if ('done' in line) return true;
    else throw line.as === 'usage' ? new UsageError(line.failed) : new OperatorError(line.failed);
  }
  throw new OperatorError('The gateway stopped before the command finished.');
}
