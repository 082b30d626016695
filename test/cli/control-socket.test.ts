/** Whoever gives a command and leaves, as `duet doctor | head` does, takes nothing with them. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { CommandContext, DatabaseCommand } from '../../src/cli/command.ts';
import { listenForCommands, runInGateway } from '../../src/cli/control-socket.ts';

const desk = {} as Pick<CommandContext, 'config' | 'db'>;
const request = { name: 'count', args: ['3'], cwd: '/' };

async function place(command: DatabaseCommand): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-control-'));
  const server = await listenForCommands(dataDir, desk, async () => command);
  onTestFinished(async () => {
    server?.close();
    await rm(dataDir, { recursive: true });
  });
  return dataDir;
}

const count: DatabaseCommand = async ({ write }, [most]) => {
  for (let number = 1; number <= Number(most); number += 1) write(`${number}\n`);
};

/** Leaves with answers unread, of which the other side hears as a reset. */
async function askAndLeave(dataDir: string, afterMs: number): Promise<void> {
  const socket = connect(join(dataDir, 'control.sock')).on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write(`${JSON.stringify({ ...request, args: ['1000'] })}\n`);
  await sleep(afterMs);
  socket.destroy();
}

it('goes on when somebody leaves before, during or after the answer', async () => {
  const faults: Error[] = [];
  const note = (error: Error) => void faults.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const slowly: DatabaseCommand = async (at, args) => {
    await count(at, args);
    await sleep(50);
    await count(at, args);
  };
  const dataDir = await place(slowly);
  for (const afterMs of [0, 20, 200]) await askAndLeave(dataDir, afterMs);
  await sleep(200);
  expect(faults).toEqual([]);
  let heard = '';
  expect(await runInGateway(dataDir, request, (text) => (heard += text))).toBe(true);
  expect(heard).toBe('1\n2\n3\n1\n2\n3\n');
});
