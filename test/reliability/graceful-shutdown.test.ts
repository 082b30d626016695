/** Graceful shutdown: no request is lost, and the gateway exits within ten seconds regardless of running work. */
import { Agent, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDb } from '../../src/db/open-db.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { startGateway } from '../support/gateway-process.ts';
import { readEventStream } from '../support/sse-client.ts';

/** Mail server that accepts connections and never responds, so that the mail job hangs. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const connected = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    connected,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface HttpResult {
  status: number;
  connection: string | undefined;
  body: string;
}

/** Sends a request over keep-alive connections, like a load balancer. */
const send = (agent: Agent, url: string, body?: object) =>
  new Promise<HttpResult>((resolve, reject) => {
    const method = body ? 'POST' : 'GET';
    const outgoing = request(
      url,
      { agent, method, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body: text }),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });

it('responds to every accepted request, asks subscribers to reconnect, and returns a running job to the queue', async () => {
  const mailServer = await startSilentServer();
  const url = await auditedDatabaseUrl();
  const gateway = await startGateway({
    DATABASE_URL: url,
    SEED_DEMO: 'off',
    // Long enough for the simulated load balancer on a busy machine.
    DRAIN_SECONDS: '3',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  });
  const agent = new Agent({ keepAlive: true });
  const guest = { provider: 'GUEST' };
  const email = {
    provider: 'EMAIL',
    email: 'a@people.example',
    password: 'a long enough passphrase',
    name: 'A',
  };
  expect((await send(agent, `${gateway.url}/v1/users/register`, email)).status).toBe(200);
  await mailServer.connected;
  const { accessToken } = JSON.parse((await send(agent, `${gateway.url}/v1/users/login`, guest)).body);
  const stream = readEventStream(
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${accessToken}`,
      },
      body: JSON.stringify({
        query: `subscription { stockChanged(businessId: "01900000-0000-7000-8000-00000000000b") { variantId } }`,
      }),
    }),
  );
  await expect.poll(() => stream.pings).toBeGreaterThan(0);

  let stoppedAt = Number.POSITIVE_INFINITY;
  let readyStatus = 200;
  const lost: string[] = [];
  const keptOpen: string[] = [];
  const confirmed: string[] = [];
  async function visitor(): Promise<void> {
    while (readyStatus === 200) {
      const isStopping = performance.now() > stoppedAt + 100;
      const response = await send(agent, `${gateway.url}/v1/users/login`, guest).catch(String);
      if (typeof response === 'string' || response.status !== 200) lost.push(JSON.stringify(response));
      else confirmed.push(response.body);
      if (isStopping && typeof response === 'object' && response.connection !== 'close')
        keptOpen.push(response.body);
    }
  }
  /** Load balancer: requests stop when the gateway is no longer ready. */
  async function balancer(): Promise<void> {
    while (readyStatus === 200) {
      await sleep(50);
      readyStatus = (await send(agent, `${gateway.url}/health/ready`)).status;
    }
  }
  const load = Promise.all([...Array.from({ length: 8 }, visitor), balancer()]);
  await expect.poll(() => confirmed.length).toBeGreaterThan(20);
  stoppedAt = performance.now();
  const exit = gateway.stop();
  await load;
  await expect.poll(() => stream.state).toBe('reconnect');
  expect(await exit).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  mailServer.close();

  expect({ lost, keptOpen }).toEqual({ lost: [], keptOpen: [] });
  expect(readyStatus).toBe(503);
  const db = await openDb({ url });
  const [guests] = await db.sql(`select count(*)::int as count from users where is_guest`);
  expect(guests).toEqual({ count: confirmed.length + 1 });
  expect(
    await db.sql(
      `select state::text, retry_count as retries from pgboss.job where name = 'users.confirm-mail'`,
    ),
  ).toEqual([{ state: 'retry', retries: 0 }]);
  await db.close();
});
