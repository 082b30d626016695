/** A database that a newer version has migrated: reported by every command, and rejected once it lacks something this version uses. */
import { beforeEach, expect, it } from 'vitest';
import { openDb } from '../../src/db/open-db.ts';
import { packageVersion } from '../../src/lib/package-info.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { runDuet } from '../support/cli.ts';
import { startGateway } from '../support/gateway-process.ts';

let env: { DATABASE_URL: string };
beforeEach(async () => {
  env = { DATABASE_URL: await auditedDatabaseUrl() };
});

async function addMigration(name: string): Promise<void> {
  const db = await openDb({ url: env.DATABASE_URL });
  await db.write(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid()::text, 'x', $1, now(), now(), 1)`,
    [name],
  );
  await db.close();
}

const message = `the database was migrated by a newer version. Version ${packageVersion} lacks 1 of its migrations: 20990101000000_more_fields. Upgrade this process; it works until then.`;

it('is served with a warning, so that old processes can restart during an upgrade', async () => {
  await addMigration('20990101000000_more_fields');
  const gateway = await startGateway(env);
  expect(gateway.output()).toContain(message);
  await expect.poll(async () => (await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
});

it('is reported by `duet migrate` and `duet doctor`', async () => {
  await addMigration('20990101000000_more_fields');
  expect(await runDuet(['migrate'], { env })).toEqual({
    code: 0,
    stdout: `Nothing more to apply: ${message}\n`,
    stderr: '',
  });
  expect(await runDuet(['doctor'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`note  migrations    ${message}\n`),
  });
});

it('is rejected by every command when a migration has removed something that this version uses', async () => {
  await addMigration('20990101000000_contract_99_0_0_drop_carts');
  const error = `The database was migrated for version 99.0.0 or later: 20990101000000_contract_99_0_0_drop_carts removed something that version ${packageVersion} uses. Install version 99.0.0 or later.`;
  for (const command of ['start', 'migrate', 'seed'])
    expect(await runDuet([command], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${error}\n`,
    });
  expect(await runDuet(['doctor'], { env })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`BAD   migrations    ${error}\n`),
  });
});

it('accepts a contract migration for this version or an earlier one', async () => {
  await addMigration(`20990101000000_contract_${packageVersion.replaceAll('.', '_')}_drop_carts`);
  expect(await runDuet(['migrate'], { env })).toMatchObject({ code: 0 });
});
