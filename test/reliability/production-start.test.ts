/** Start in production: the output is a log of JSON lines, and a role without the right to create tables is enough. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { runDuet } from '../support/cli.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { startGateway } from '../support/gateway-process.ts';

async function runAsOwner(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** The statements of docs/how-to/operating.md. */
const grantsTo = (role: string) => [
  `GRANT USAGE ON SCHEMA public, pgboss TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, pgboss TO ${role}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public, pgboss TO ${role}`,
];

it('needs only rights on rows after `duet migrate`, and prints JSON lines only', async () => {
  const url = await testDatabaseUrl({ migrated: false });
  expect(await runDuet(['migrate'], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
  const role = `gateway_${randomUUID().replaceAll('-', '')}`;
  const password = randomUUID();
  await runAsOwner(url, [`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`, ...grantsTo(role)]);
  onTestFinished(() => runAsOwner(url, [`DROP OWNED BY ${role}`, `DROP ROLE ${role}`]));
  const roleUrl = new URL(url);
  Object.assign(roleUrl, { username: role, password });
  const adminToken = randomUUID();
  const gateway = await startGateway({
    DATABASE_URL: roleUrl.href,
    NODE_ENV: 'production',
    SANDBOX: 'allowed',
    ADMIN_TOKEN: adminToken,
    LOG_LEVEL: 'info',
    DATABSE_POOL: '3',
  });
  const send = (path: string, body: object) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const account = { provider: 'EMAIL', email: 'a@people.example', password: 'a long enough passphrase' };
  expect((await send('/v1/users/register', { ...account, name: 'A' })).status).toBe(200);
  await expect.poll(async () => (await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  // The mail of the registration is a job of pg-boss.
  await expect
    .poll(
      async () =>
        (
          await fetch(`${gateway.url}/sandbox/outbox`, { headers: { authorization: `Bearer ${adminToken}` } })
        ).text(),
      { timeout: 15_000 },
    )
    .toContain(account.email);
  expect(await gateway.stop()).toBe(0);
  const lines = gateway.output().trim().split('\n');
  const messages = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(messages.map(({ msg }) => msg)).toContain(
    'DATABSE_POOL is not a known variable; did you mean DATABASE_POOL?',
  );
  expect(messages.filter(({ level }) => level >= 40)).toHaveLength(1);
});
