/** A client that disconnects from the control socket early, as `duet doctor | head` does, does not harm the gateway. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { CommandContext, DatabaseCommand } from '../../src/cli/command-types-and-usage-error.ts';
import { listenForCommands, runCommandInGateway } from '../../src/cli/control-socket.ts';

const context = {} as Pick<CommandContext, 'config' | 'db'>;
const request = { name: 'count', args: ['3'], cwd: '/' };

async function startServer(command: DatabaseCommand, subfolder = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-control-'));
  const dataDir = join(folder, subfolder);
  await mkdir(dataDir, { recursive: true });
  const server = await listenForCommands(dataDir, context, async () => command);
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  return dataDir;
}

const count: DatabaseCommand = async ({ write }, [limit]) => {
  for (let number = 1; number <= Number(limit); number += 1) write(`${number}\n`);
};

/** Disconnects with unread responses, which the server sees as a connection reset. */
async function sendAndDisconnect(dataDir: string, afterMs: number): Promise<void> {
  const socket = connect(join(dataDir, 'control.sock')).on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write(`${JSON.stringify({ ...request, args: ['1000'] })}\n`);
  await sleep(afterMs);
  socket.destroy();
}

it('keeps working when a client disconnects before, during or after the response', async () => {
  const uncaughtErrors: Error[] = [];
  const recordError = (error: Error) => void uncaughtErrors.push(error);
  process.on('uncaughtException', recordError);
  onTestFinished(() => void process.off('uncaughtException', recordError));
  const slowCommand: DatabaseCommand = async (commandContext, args) => {
    await count(commandContext, args);
    await sleep(50);
    await count(commandContext, args);
  };
  const dataDir = await startServer(slowCommand);
  for (const afterMs of [0, 20, 200]) await sendAndDisconnect(dataDir, afterMs);
  await sleep(200);
  expect(uncaughtErrors).toEqual([]);
  let output = '';
  expect(await runCommandInGateway(dataDir, request, (text) => (output += text))).toBe(true);
  expect(output).toBe('1\n2\n3\n1\n2\n3\n');
});

it('runs commands at a path that is too long for a socket', async () => {
  const dataDir = await startServer(count, 'long'.repeat(30));
  let output = '';
  expect(await runCommandInGateway(dataDir, request, (text) => (output += text))).toBe(true);
  expect(output).toBe('1\n2\n3\n');
});
