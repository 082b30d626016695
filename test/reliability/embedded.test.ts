/** A gateway on the embedded database survives kill -9 and starts on an empty and on an existing data directory. */
import { expect, it } from 'vitest';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { auditedDataDir } from '../support/audited-databases.ts';
import { startGateway } from '../support/gateway-process.ts';

/** Module that causes an unhandled promise rejection on SIGUSR2. */
const rejectOnSignal = encodeURIComponent(
  `process.on('SIGUSR2', () => { Promise.reject(new Error('lost')); })`,
);

it('starts on an empty folder, restarts after a kill with its data, and survives an unhandled rejection', async () => {
  const DATA_DIR = await auditedDataDir();
  const first = await startGateway({ DATA_DIR });
  expect(first.output()).toContain(demoShopIdsAndLogins.businessId);
  await expect.poll(async () => (await fetch(`${first.url}/health/ready`)).status).toBe(200);
  const { keys } = (await (await fetch(`${first.url}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string; d?: string }[];
  };
  expect(keys).toEqual([
    expect.objectContaining({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: expect.any(String),
    }),
  ]);
  expect(keys[0]).not.toHaveProperty('d');
  await first.kill();

  const second = await startGateway({
    DATA_DIR,
    NODE_OPTIONS: `--import=data:text/javascript,${rejectOnSignal}`,
  });
  process.kill(second.pid, 'SIGUSR2');
  await expect.poll(() => second.output()).toContain('unhandled promise rejection');
  expect(await (await fetch(`${second.url}/.well-known/jwks.json`)).json()).toEqual({ keys });
  const response = await fetch(`${second.url}/v1/businesses/${demoShopIdsAndLogins.businessId}/products`);
  expect(response.status).toBe(401);
  expect(await second.stop()).toBe(0);
});

it('reports all configuration errors and does not start', async () => {
  await expect(
    startGateway({ PORT: 'many', DATABASE_URL: 'mysql://x', DATA_DIR: '/nowhere' }),
  ).rejects.toThrow(/PORT: must be a port number[\s\S]*DATABASE_URL: must look like postgresql/);
  await expect(startGateway({ NODE_ENV: 'production' })).rejects.toThrow(
    /set DATABASE_URL, SMTP_URL.*or SANDBOX=allowed/,
  );
});
