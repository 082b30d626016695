/** `duet start --workers`: several processes behind one port, with shared limits and metrics; crashes and restarts lose no other request. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';

const metricsToken = 'a token of the test';
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({
    DATABASE_URL: await testDatabaseUrl(),
    SEED_DEMO: 'off',
    WORKERS: '2',
    RATE_LIMIT: 'on',
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: 'info',
  });
});
afterAll(() => gateway?.kill());

const workerIds = (): number[] =>
  readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8').trim().split(' ').map(Number);

interface HttpResult {
  status: number;
  body: string;
}

/** Without an agent each request has a connection of its own, so that workers take turns. */
const send = (
  method: string,
  path: string,
  { body, headers = {}, agent }: { body?: object; headers?: Record<string, string>; agent?: Agent } = {},
) =>
  new Promise<HttpResult>((resolve, reject) => {
    const outgoing = request(
      `${gateway.url}${path}`,
      { method, agent: agent ?? false, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    // A connection that was handed to a killed worker gets no response.
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('No response.')));
    outgoing.end(body && JSON.stringify(body));
  });

const readiness = async () => JSON.parse((await send('GET', '/health/ready')).body);

async function expectAllWorkersReady(): Promise<void> {
  const expected = { status: 'ok', workers: { running: 2, configured: 2 } };
  await vi.waitFor(async () => expect(await readiness()).toMatchObject(expected), { timeout: 120_000 });
}

describe('two workers', () => {
  it('answer on one port, and report the state of both', async () => {
    await expectAllWorkersReady();
    expect(workerIds()).toHaveLength(2);
  });

  it('count attempts together: the limit is the same as that of one process', async () => {
    const body = { provider: 'EMAIL', email: 'nobody@people.example', password: 'not the passphrase' };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      statuses.push((await send('POST', '/v1/users/login', { body })).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
  });

  it('report metrics together, from any worker', async () => {
    const loginsOf = (metrics: string) =>
      metrics
        .split('\n')
        .filter(
          (line) => line.startsWith('duet_request_duration_seconds_count{') && line.includes('users/login'),
        )
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    const readLogins = async () =>
      loginsOf(
        (await send('GET', '/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })).body,
      );
    const before = await readLogins();
    for (let count = 0; count < 6; count += 1)
      await send('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
    expect([await readLogins(), await readLogins()]).toEqual([before + 6, before + 6]);
  });

  it('are restarted one by one on SIGHUP, and no request is lost', async () => {
    const before = workerIds();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const lost: unknown[] = [];
    let confirmed = 0;
    let running = true;
    const visitor = async (own: Agent | undefined) => {
      while (running) {
        const options = { body: { provider: 'GUEST' }, ...(own ? { agent: own } : {}) };
        const response = await send('POST', '/v1/users/login', options).catch(String);
        if (typeof response === 'string' || response.status !== 200) lost.push(response);
        else confirmed += 1;
        // On a busy machine the database may not respond in time; that makes no worker stop.
        const ready = await readiness().catch(() => undefined);
        if (ready?.stopping !== false) lost.push(ready ?? 'no response of the readiness check');
      }
    };
    const load = Promise.all([visitor(agent), visitor(agent), visitor(undefined)]);
    process.kill(gateway.pid, 'SIGHUP');
    await vi.waitFor(() => expect(gateway.output()).toContain('all workers have been restarted'), {
      timeout: 180_000,
      interval: 100,
    });
    running = false;
    await load;
    agent.destroy();
    expect(lost).toEqual([]);
    expect(confirmed).toBeGreaterThan(5);
    const after = workerIds();
    expect(after).toHaveLength(2);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });

  it('survive kill -9 of one of them, which is replaced', async () => {
    const [victim = 0, other = 0] = workerIds();
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(async () => expect((await send('GET', '/health/live')).status).toBe(200), {
      timeout: 60_000,
    });
    await vi.waitFor(() => expect(workerIds().filter((id) => id !== victim)).toHaveLength(2), {
      timeout: 60_000,
    });
    expect(workerIds()).toContain(other);
    await expectAllWorkersReady();
  });

  it('stop with the primary, with exit code 0', async () => {
    const ids = workerIds();
    expect(await gateway.stop()).toBe(0);
    for (const id of ids) expect(() => process.kill(id, 0)).toThrow(/ESRCH/);
  });
});

it('several workers require a PostgreSQL server', async () => {
  expect(() => readConfig({ WORKERS: '2' })).toThrow(/^WORKERS: .* set DATABASE_URL/m);
  expect(() => readConfig({ WORKERS: 'many' })).toThrow(/^WORKERS: must be auto or a number from 1 to 64/m);
  expect(readConfig({ WORKERS: 'auto' }).workers).toBe(1);
  await expect(startGateway({ WORKERS: '2' })).rejects.toThrow(/exited with code 1:\nWORKERS: /);
});

it('a worker that cannot start ends the command with one message', async () => {
  const start = startGateway({ WORKERS: '2', DATABASE_URL: 'postgresql://duet@127.0.0.1:1/none' });
  await expect(start).rejects.toThrow(/exited with code 1/);
});
