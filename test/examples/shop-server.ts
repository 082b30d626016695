/** The storefront example as it is started, before a gateway that runs nothing but its documents. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { seedDemo } from '../../src/seed/demo.ts';
import { demo } from '../../src/seed/shop-data.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';

export interface RunningShop {
  t: TestApp;
  /** Of the gateway. */
  gateway: string;
  /** Where the shop is, on an origin of its own. */
  origin: string;
  staff: Person;
  stop(): Promise<void>;
}

export const ofBusiness = `/v1/businesses/${demo.businessId}`;

export async function startShop(example: string): Promise<RunningShop> {
  const [port, shopPort] = [await freePort(), await freePort()];
  const [gateway, origin] = [`http://127.0.0.1:${port}`, `http://localhost:${shopPort}`];
  const t = await testApp({
    PUBLIC_URL: gateway,
    ALLOWED_ORIGINS: origin,
    RATE_LIMIT: 'off',
    GRAPHQL_DOCUMENTS: 'trusted',
    TRUSTED_DOCUMENTS: join(example, 'src/generated'),
  });
  await seedDemo(t.db, gateway);
  await listen(t, port);
  const stop = await serve(example, { PORT: String(shopPort), DUET_URL: gateway, TRUSTED: '1' });
  const { token } = await t.app.services.tokens.issueAccess({ sub: demo.adminId, provider: 'EMAIL' });
  return { t, gateway, origin, staff: { userId: demo.adminId, token }, stop };
}

/** Starts it, waits until it says where it is, and returns what ends it. */
async function serve(example: string, env: Record<string, string>): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, ['--import', 'tsx', 'serve.ts'], {
    cwd: example,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  const started = new Promise<void>((done) => server.stdout.once('data', () => done()));
  const failed = ended.then(() => {
    throw new Error('The shop did not start.');
  });
  failed.catch(() => undefined);
  await Promise.race([started, failed]);
  return () => {
    server.kill();
    return ended;
  };
}
