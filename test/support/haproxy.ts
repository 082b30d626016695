/** HAProxy in front of gateways: it asks each whether it is ready, and sends requests to those that are. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntilListening } from './pgbouncer.ts';
import { freePort } from './gateway-process.ts';

/** Undefined when it is not installed. */
export function haproxyVersion(): string | undefined {
  try {
    return execFileSync('haproxy', ['-v'], { encoding: 'utf8', stdio: 'pipe' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

export interface Haproxy {
  url: string;
  /** How many gateways it takes to be ready. */
  readyGateways(): Promise<number>;
  stop(): Promise<void>;
}

/** What it says itself, when no gateway is ready. */
const nobodyReady = JSON.stringify({ error: 'UNAVAILABLE', message: 'No gateway is ready, try again.' });

export async function startHaproxy(gateways: readonly { url: string }[]): Promise<Haproxy> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'duet-haproxy-'));
  const [file, answer] = [join(folder, 'haproxy.cfg'), join(folder, '503.http')];
  await writeFile(
    answer,
    `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/json\r\n\r\n${nobodyReady}`,
  );
  const servers = gateways.map(({ url }, index) => `  server gateway${index} ${new URL(url).host}`);
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  # Without it a gateway that answers later than the next look is due counts as not ready.
  timeout check 5s
  # Only requests that never left are sent again: the others may have been done.
  retries 3
  retry-on conn-failure
  option redispatch 1
  errorfile 503 ${answer}
frontend everybody
  bind 127.0.0.1:${port}
  stats uri /haproxy
  default_backend gateways
backend gateways
  option httpchk GET /health/ready
  default-server check inter 200ms fall 1 rise 1
${servers.join('\n')}
`,
  );
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await waitUntilListening(port, child, said);
  return {
    url: `http://127.0.0.1:${port}`,
    async readyGateways() {
      const lines = await (await fetch(`http://127.0.0.1:${port}/haproxy;csv`)).text();
      return lines.match(/^gateways,gateway\d+,.*,UP,/gm)?.length ?? 0;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
