/** HAProxy load balancer in front of gateways, with health checks. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './gateway-process.ts';
import { waitUntilListening } from './pgbouncer.ts';

/** Undefined if HAProxy is not installed. */
export function haproxyVersion(): string | undefined {
  try {
    return execFileSync('haproxy', ['-v'], { encoding: 'utf8', stdio: 'pipe' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

export interface Haproxy {
  url: string;
  /** Number of gateways that pass the health check. */
  readyGateways(): Promise<number>;
  stop(): Promise<void>;
}

/** Body of the 503 response of HAProxy itself, when no gateway is ready. */
const unavailableBody = JSON.stringify({ error: 'UNAVAILABLE', message: 'No gateway is ready, try again.' });

export async function startHaproxy(gateways: readonly { url: string }[]): Promise<Haproxy> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'duet-haproxy-'));
  const [file, errorFile] = [join(folder, 'haproxy.cfg'), join(folder, '503.http')];
  await writeFile(
    errorFile,
    `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/json\r\n\r\n${unavailableBody}`,
  );
  const servers = gateways.map(({ url }, index) => `  server gateway${index} ${new URL(url).host}`);
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  # Default is the check interval: a gateway that answers later would count as not ready.
  timeout check 5s
  # Retries only requests that were not sent: the gateway may have processed the others.
  retries 3
  retry-on conn-failure
  option redispatch 1
  errorfile 503 ${errorFile}
frontend clients
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
  const stderr: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
  await waitUntilListening(port, child, stderr);
  return {
    url: `http://127.0.0.1:${port}`,
    async readyGateways() {
      const lines = await (await fetch(`http://127.0.0.1:${port}/haproxy;csv`)).text();
      return lines.match(/^gateways,gateway\d+,.*,UP,/gm)?.length ?? 0;
    },
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
