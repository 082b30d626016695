/** Start-up errors of PostgreSQL are reported in one line with the action to take. */
import { expect, it } from 'vitest';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { runDuet } from '../support/cli.ts';

async function start(change: (url: URL) => void) {
  const url = new URL(await auditedDatabaseUrl());
  change(url);
  return { server: url.host, result: await runDuet(['start'], { env: { DATABASE_URL: url.href } }) };
}

it('reports a wrong password without printing it', async () => {
  const { server, result } = await start((url) => {
    url.password = 'S3CRET';
  });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `DATABASE_URL: the server at ${server} refuses the user "duet". Check the name, the password and pg_hba.conf.\n`,
  });
});

it('reports a database that does not exist', async () => {
  const { server, result } = await start((url) => {
    url.pathname = '/nowhere';
  });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `DATABASE_URL: there is no database named "nowhere" at ${server}. Make it with: createdb nowhere\n`,
  });
});

it('checks a server with `duet doctor`', async () => {
  const env = { DATABASE_URL: await auditedDatabaseUrl() };
  const { code, stdout } = await runDuet(['doctor'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {4}database {6}PostgreSQL \d+/m);
  expect(stdout).toMatch(
    /^ok {4}pool {10}\d+ connections \(\d+ in use\) serve \d+ processes with DATABASE_POOL=10$/m,
  );
  expect(stdout).toMatch(/^ok {4}clock {9}agrees with the clock of the database$/m);
  const tooMany = await runDuet(['doctor'], {
    env: { ...env, DATABASE_POOL: '200', SMTP_URL: 'smtp://127.0.0.1:1' },
  });
  expect(tooMany.code).toBe(1);
  expect(tooMany.stdout).toMatch(/^BAD {3}mail {10}SMTP_URL: .+\. Check address, user and password\.$/m);
});
