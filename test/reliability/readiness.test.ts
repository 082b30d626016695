/** Readiness while the database hangs: 503 within the time limit, and 200 again once it responds. */
import { expect, it } from 'vitest';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { startGateway } from '../support/gateway-process.ts';

/** The limit of two seconds, and time for a busy machine. */
const maxMs = 4_000;

it('is 503 while connections to the database stall', async () => {
  const proxy = await startFaultProxy(await auditedDatabaseUrl());
  const gateway = await startGateway({ DATABASE_URL: proxy.url, SEED_DEMO: 'off' });
  const ready = async () => (await fetch(`${gateway.url}/health/ready`)).status;
  try {
    await expect.poll(ready).toBe(200);
    proxy.stall();
    // The last probe is shared for a second.
    await expect.poll(ready, { timeout: 2 * maxMs }).toBe(503);
    const startedAt = performance.now();
    const statuses = await Promise.all(Array.from({ length: 200 }, ready));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(performance.now() - startedAt).toBeLessThan(maxMs);
    proxy.restore();
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  } finally {
    proxy.restore();
    expect(await gateway.stop()).toBe(0);
    await proxy.close();
  }
});
