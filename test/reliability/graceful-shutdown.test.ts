/** A gateway that is told to stop loses no request and has ended ten seconds later, whatever it was doing. */
import { Agent, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { readEventStream } from '../support/sse-client.ts';
import { startGateway } from '../support/gateway-process.ts';

/** Takes connections and says nothing: whoever mails waits. */
async function silentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const called = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    called,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface Asked {
  status: number;
  connection: string | undefined;
  body: string;
}

/** Over connections that are kept, as those of load balancers are. */
const ask = (agent: Agent, url: string, body?: object) =>
  new Promise<Asked>((resolve, reject) => {
    const method = body ? 'POST' : 'GET';
    const sent = request(
      url,
      { agent, method, headers: { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body: text }),
        );
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });

it('answers every request it has taken, sends watchers elsewhere and hands back a long job', async () => {
  const silent = await silentServer();
  const url = await auditedDatabaseUrl();
  const gateway = await startGateway({
    DATABASE_URL: url,
    SEED_DEMO: 'off',
    // Time enough for a balancer on a busy machine.
    DRAIN_SECONDS: '3',
    SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
  });
  const agent = new Agent({ keepAlive: true });
  const guest = { provider: 'GUEST' };
  const email = {
    provider: 'EMAIL',
    email: 'a@people.example',
    password: 'a long enough passphrase',
    name: 'A',
  };
  expect((await ask(agent, `${gateway.url}/v1/users/register`, email)).status).toBe(200);
  await silent.called;
  const { accessToken } = JSON.parse((await ask(agent, `${gateway.url}/v1/users/login`, guest)).body);
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

  let told = Number.POSITIVE_INFINITY;
  let ready = 200;
  const lost: string[] = [];
  const kept: string[] = [];
  const confirmed: string[] = [];
  async function visitor(): Promise<void> {
    while (ready === 200) {
      const late = performance.now() > told + 100;
      const answer = await ask(agent, `${gateway.url}/v1/users/login`, guest).catch(String);
      if (typeof answer === 'string' || answer.status !== 200) lost.push(JSON.stringify(answer));
      else confirmed.push(answer.body);
      if (late && typeof answer === 'object' && answer.connection !== 'close') kept.push(answer.body);
    }
  }
  /** Sends visitors here for as long as the gateway says that it is ready. */
  async function balancer(): Promise<void> {
    while (ready === 200) {
      await sleep(50);
      ready = (await ask(agent, `${gateway.url}/health/ready`)).status;
    }
  }
  const load = Promise.all([...Array.from({ length: 8 }, visitor), balancer()]);
  await expect.poll(() => confirmed.length).toBeGreaterThan(20);
  told = performance.now();
  const ended = gateway.stop();
  await load;
  await expect.poll(() => stream.state).toBe('reconnect');
  expect(await ended).toBe(0);
  expect(performance.now() - told).toBeLessThan(10_000);
  silent.close();

  expect({ lost, kept }).toEqual({ lost: [], kept: [] });
  expect(ready).toBe(503);
  const db = await openDb({ url });
  const [guests] = await db.sql(`select count(*)::int as count from users where is_guest`);
  expect(guests).toEqual({ count: confirmed.length + 1 });
  expect(
    await db.sql(`select state::text, retry_count as tried from pgboss.job where name = 'mail'`),
  ).toEqual([{ state: 'retry', tried: 0 }]);
  await db.close();
});
