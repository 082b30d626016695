/**
 * The processes of compose.yaml without containers, with its variables and configuration files: two gateways, PgBouncer, Redis and HAProxy
 * with TLS. A customer buys through them, also after one gateway has stopped.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runDuet } from '../support/cli.ts';
import { readCompose } from '../support/compose-file.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { freePort, type Gateway, startGateway } from '../support/gateway-process.ts';
import { haproxyVersion } from '../support/haproxy.ts';
import { pgbouncerVersion, waitUntilListening } from '../support/pgbouncer.ts';
import { startRedis } from '../support/redis.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const isInstalled = onPostgres && haproxyVersion() !== undefined && pgbouncerVersion() !== undefined;
if (!isInstalled) console.log('HAProxy or PgBouncer is not installed: their test is skipped.');

const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(pgbouncerVersion() ?? '') ?? [];
const isOldPooler = Number(major) * 100 + Number(minor) < 121;

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: each response has another type; the tests check the values.
  body: any;
}

describe.runIf(isInstalled)('the processes of compose.yaml', () => {
  const children: { kill(signal: NodeJS.Signals): unknown }[] = [];
  const gateways: Gateway[] = [];
  const metricsPorts: number[] = [];
  let folder: string;
  let database: URL;
  let origin: string;
  let httpOrigin: string;
  let certificate: string;
  let shop: { business: { id: string }; owner: { email: string; password: string } };

  async function run(program: string, args: string[], port: number, env: Record<string, string> = {}) {
    // PgBouncer does not run as root.
    const user = program === 'pgbouncer' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = spawn(program, args, { ...user, env: { ...process.env, ...env }, stdio: 'pipe' });
    children.push(child);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    await waitUntilListening(port, child, output);
  }

  /** Starts PgBouncer with ops/compose/pgbouncer.ini, and returns its URL. */
  async function startPooler(password: string): Promise<string> {
    const port = await freePort();
    const users = join(folder, 'userlist.txt');
    await writeFile(users, `"${database.username}" "${password}"\n`, { mode: 0o644 });
    const settings = readFileSync('ops/compose/pgbouncer.ini', 'utf8')
      .replace(
        /^duet = .*$/m,
        `duet = host=127.0.0.1 port=${database.port} dbname=${database.pathname.slice(1)}`,
      )
      .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
      .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
      // PgBouncer of Debian 12 is older than the one of compose.yaml.
      .replace(isOldPooler ? /^max_prepared_statements = .*\n/m : '', '');
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, settings, { mode: 0o644 });
    await run('pgbouncer', ['-q', file], port);
    return `postgresql://${database.username}:${password}@127.0.0.1:${port}/duet`;
  }

  /** Starts HAProxy with ops/compose/haproxy.cfg and a certificate of its own. */
  async function startBalancer(http: number, https: number): Promise<void> {
    const [key, pem] = [join(folder, 'key.pem'), join(folder, 'tls.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', pem];
    execFileSync('openssl', [...args, ...subject], { stdio: 'pipe' });
    certificate = readFileSync(pem, 'utf8');
    await writeFile(pem, `${certificate}${readFileSync(key, 'utf8')}`);
    const [first, second] = gateways.map(({ url }) => new URL(url).host);
    await run('haproxy', ['-db', '-f', 'ops/compose/haproxy.cfg'], https, {
      GATEWAY1: first ?? '',
      GATEWAY2: second ?? '',
      HTTP_BIND: `127.0.0.1:${http}`,
      HTTPS_BIND: `127.0.0.1:${https}`,
      TLS_PEM: pem,
      UNAVAILABLE_RESPONSE: 'ops/compose/503.http',
    });
  }

  const call = (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: string | object } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const isForm = typeof body === 'string';
      const headers = {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      };
      const url = path.startsWith('https:') ? path : `${origin}${path}`;
      const sent = request(url, { method, headers, ca: certificate }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const parsed = String(response.headers['content-type']).includes('json') ? JSON.parse(text) : text;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
        });
      });
      sent.once('error', reject);
      sent.end(isForm || body === undefined ? body : JSON.stringify(body));
    });

  beforeAll(async () => {
    folder = await createTempFolder('duet-compose-');
    await chmod(folder, 0o755);
    database = new URL(await testDatabaseUrl());
    const [http, https] = [await freePort(), await freePort()];
    [httpOrigin, origin] = [`http://localhost:${http}`, `https://localhost:${https}`];
    const settings = {
      PUBLIC_URL: origin,
      TLS_PEM: 'tls.pem',
      POSTGRES_PASSWORD: decodeURIComponent(database.password) || 'password',
      REDIS_PASSWORD: 'b',
      GRAFANA_PASSWORD: 'c',
    };
    const pooled = await startPooler(settings.POSTGRES_PASSWORD);
    const redis = (await startRedis()).url;
    const { services } = readCompose(settings);
    for (const name of ['gateway1', 'gateway2']) {
      const metricsPort = await freePort();
      metricsPorts.push(metricsPort);
      const env = {
        ...services[name]?.environment,
        // The trial without mail server and Stripe that the how-to page describes.
        SANDBOX: 'allowed',
        SEED_DEMO: 'off',
        DATABASE_URL: pooled,
        DATABASE_DIRECT_URL: database.href,
        REDIS_URL: redis,
        METRICS_PORT: String(metricsPort),
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'info',
      };
      gateways.push(await startGateway(env));
    }
    await startBalancer(http, https);
    const init = ['init', '--email', 'owner@shop.example', '--name', 'Blue Kettle', '--json'];
    const { stdout } = await runDuet(init, { env: { DATABASE_URL: database.href } });
    shop = JSON.parse(stdout);
    const isReady = async () => (await call('GET', '/health/ready').catch(() => undefined))?.status;
    await vi.waitFor(async () => expect(await isReady()).toBe(200), { timeout: 60_000 });
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    for (const child of children) child.kill('SIGKILL');
  });

  /** A guest buys the product of `duet init` and pays. Returns the id of the order. */
  async function buy(): Promise<string> {
    const path = `/v1/businesses/${shop.business.id}`;
    const guest = await call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
    const token = guest.body.accessToken;
    const products = await call('GET', `${path}/products`, { token });
    const [product] = products.body.items;
    const items = [{ productId: product.id, variantId: product.variants[0].id, quantity: 1 }];
    const body = { market: 'US', shippingMethodId: 'standard', paymentMethod: 'CREDIT_CARD', items };
    const order = await call('POST', `${path}/orders/checkout`, { token, body });
    expect(order.body.checkoutUrl).toMatch(`${origin}/sandbox/pay/`);
    expect((await call('POST', order.body.checkoutUrl, { body: 'action=pay' })).status).toBe(303);
    const status = async () =>
      (await call('GET', `${path}/orders/${order.body.orderId}`, { token })).body.statuses.at(-1).status;
    await expect.poll(status).toBe('PROCESSING');
    return order.body.orderId;
  }

  it('sells through TLS, the balancer, both gateways and the pooler', async () => {
    await buy();
    const redirect = await fetch(`${httpOrigin}/v1/openapi.json`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      308,
      `${httpOrigin.replace('http:', 'https:')}/v1/openapi.json`,
    ]);
    const { headers } = await call('GET', '/health/live');
    expect(headers['strict-transport-security']).toContain('max-age');
    for (const port of metricsPorts) {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(/duet_requests_total\{.*\} [1-9]|duet_request_duration_seconds_count/);
    }
  });

  it('sells with one gateway, and answers 503 with none', async () => {
    expect(await gateways[0]?.stop()).toBe(0);
    await buy();
    expect(await gateways[1]?.stop()).toBe(0);
    await expect.poll(async () => (await call('GET', '/health/live')).status).toBe(503);
    expect((await call('GET', '/health/live')).body).toMatchObject({ error: 'UNAVAILABLE' });
  });
});
