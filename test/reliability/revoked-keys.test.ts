/** `duet keys rotate --revoke` while several gateways run: each of them rejects tokens of the old key at once. */
import { expect, it } from 'vitest';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { runDuet } from '../support/cli.ts';
import { startGateway } from '../support/gateway-process.ts';

/** Far less than the 60 seconds after which a process reloads its keys without a notification. */
const timeoutMs = 5_000;

it('rejects tokens of a revoked key in every process', async () => {
  const env = { DATABASE_URL: await auditedDatabaseUrl(), SEED_DEMO: 'off' };
  const gateways = await Promise.all([startGateway(env), startGateway(env)]);
  try {
    const guest = await fetch(`${gateways[0]?.url}/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'GUEST' }),
    });
    const { accessToken } = (await guest.json()) as { accessToken: string };
    const statuses = () =>
      Promise.all(
        gateways.map(async ({ url }) => {
          const headers = { authorization: `Bearer ${accessToken}` };
          return (await fetch(`${url}/v1/users/me`, { headers })).status;
        }),
      );
    // Both processes have verified the token, and have it in their cache.
    expect(await statuses()).toEqual([200, 200]);
    const { code, stdout } = await runDuet(['keys', 'rotate', '--revoke'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('reject tokens of the old keys')]);
    await expect.poll(statuses, { timeout: timeoutMs }).toEqual([401, 401]);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
});
