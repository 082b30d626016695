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

const missing =
  'NODE_ENV=production, but these services are still embedded: set SMTP_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, or SANDBOX=allowed to run with embedded services.';

it('requires only the services that a command uses', async () => {
  const env = { NODE_ENV: 'production', DATABASE_URL: await testDatabaseUrl() };
  for (const args of [['jobs', '--failed'], ['usage']])
    expect(await runDuet(args, { env }), args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  for (const args of [['audit'], ['reconcile'], ['jobs', '--retry', 'x']])
    expect(await runDuet(args, { env }), args.join(' ')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${missing}\n`,
    });
  const { code, stdout } = await runDuet(['doctor', '--json'], { env });
  const { findings } = JSON.parse(stdout) as {
    findings: { subject: string; level: string; message: string }[];
  };
  expect(code).toBe(1);
  expect(findings.filter(({ level }) => level === 'error')).toEqual([
    { subject: 'configuration', level: 'error', message: missing },
  ]);
  expect(findings.map(({ subject }) => subject)).toContain('jobs');
});

it('needs only rights on rows after `duet migrate`, and prints JSON lines only', async () => {
  const url = await testDatabaseUrl({ migrated: false });
  const env = { NODE_ENV: 'production', DATABASE_URL: url };
  expect(await runDuet(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
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
