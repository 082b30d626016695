/** One etcd server on loopback, which Patroni stores its leader key in. */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { freePort } from './gateway-process.ts';
import { waitUntilListening } from './pgbouncer.ts';
import { createTempFolder } from './temp-folder.ts';

export interface Etcd {
  /** Host and port. */
  address: string;
  stop(): Promise<void>;
}

export async function startEtcd(): Promise<Etcd> {
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const folder = await createTempFolder('duet-etcd-');
  const options = {
    'data-dir': folder,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'log-level': 'error',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('etcd', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stderr: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
  await waitUntilListening(clientPort, child, stderr);
  return {
    address: `127.0.0.1:${clientPort}`,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
