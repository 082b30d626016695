/** Starts the storefront example with a gateway that runs only its documents (GRAPHQL_DOCUMENTS=trusted). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';

export interface RunningShop {
  t: TestApp;
  /** URL of the gateway. */
  gateway: string;
  /** Origin of the shop. */
  origin: string;
  staff: Person;
  stop(): Promise<void>;
}

export const businessPath = `/v1/businesses/${demoShopIdsAndLogins.businessId}`;

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
  const { token } = await t.app.services.tokens.issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  });
  return { t, gateway, origin, staff: { userId: demoShopIdsAndLogins.adminId, token }, stop };
}

/** Starts the shop's server, waits until it prints its URL, and returns a function that stops it. */
export async function serve(
  example: string,
  env: Record<string, string>,
  script = 'serve.ts',
): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: example,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const started = new Promise<void>((resolve) => server.stdout.once('data', () => resolve()));
  const failed = exited.then(() => {
    throw new Error('The shop did not start.');
  });
  failed.catch(() => undefined);
  await Promise.race([started, failed]);
  return () => {
    server.kill();
    return exited;
  };
}
