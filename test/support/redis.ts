/** Redis server on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findOrInstallProgram } from './system-programs.ts';

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

// Registered at module level: vitest ignores hooks that are added by another hook or while a test runs.
const started: RedisServer[] = [];
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
});

/** Starts a server without persistence, which stops after the calling file unless the test stopped it. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'duet-redis-'));
  const child = spawn(
    await findOrInstallProgram('redis-server'),
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await waitUntilReady(child);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    }
    await rm(directory, { recursive: true, force: true });
  };
  const server = { url: `redis://127.0.0.1:${port}`, stop };
  started.push(server);
  return server;
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server exited with code ${code}.`)));
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free port.'));
      });
    });
  });
}
