/** Varnish with the configuration of ops/varnish, in front of one gateway. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntilListening } from './pgbouncer.ts';

const xkeyModules = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib', '/usr/local/lib'];

/** Undefined if Varnish or its module xkey is not installed. */
export function varnishVersion(): string | undefined {
  if (!xkeyModules.some((folder) => existsSync(`${folder}/varnish/vmods/libvmod_xkey.so`))) return undefined;
  try {
    // varnishd prints its version on stderr.
    execFileSync('varnishd', ['-V'], { stdio: 'pipe' });
    return 'varnish';
  } catch {
    return undefined;
  }
}

export interface Varnish {
  url: string;
  stop(): Promise<void>;
}

export async function startVarnish(port: number, gatewayUrl: string, purgeToken: string): Promise<Varnish> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-varnish-'));
  const file = join(folder, 'duet.vcl');
  const vcl = await readFile('ops/varnish/duet.vcl', 'utf8');
  await writeFile(file, vcl.replace('"4000"', `"${new URL(gatewayUrl).port}"`));
  const child = spawn(
    'varnishd',
    [
      ...['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file],
      ...['-a', `127.0.0.1:${port}`, '-s', 'malloc,32m', '-T', 'none', '-p', 'timeout_idle=60'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, CACHE_PURGE_TOKEN: purgeToken } },
  );
  const stderr: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
  await waitUntilListening(port, child, stderr);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
