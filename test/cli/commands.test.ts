/** Database commands, in this process and through the control socket of a gateway. */
import '../support/on-pglite.ts';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandContext, UsageError } from '../../src/cli/command-types-and-usage-error.ts';
import { exportCommand, importCommand } from '../../src/cli/commands/import-and-export.ts';
import { jobsCommand } from '../../src/cli/commands/jobs-and-failed-work.ts';
import { keysCommand } from '../../src/cli/commands/keys-rotate-signing-keys.ts';
import { migrateCommand } from '../../src/cli/commands/migrate-and-create-queues.ts';
import { listenForCommands, runCommandInGateway } from '../../src/cli/control-socket.ts';
import { doctorDatabaseCommand } from '../../src/cli/doctor/check-database.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createFailedWork } from '../support/failed-work.ts';

let t: TestApp;
let db: Db;
let folder: string;
beforeAll(async () => {
  t = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'on' });
  db = t.db;
  folder = await mkdtemp(join(tmpdir(), 'duet-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(
  command: (context: CommandContext, args: readonly string[]) => Promise<void>,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  await command({ config: readConfig(env), db, cwd: folder, write }, args);
  return written;
}

async function failedJob(reason: string): Promise<string> {
  const [row] = await db.write<{ id: string }>(
    `insert into pgboss.job (name, state, retry_count, retry_limit, completed_on, output)
     values ('mail', 'failed', 10, 10, now(), jsonb_build_object('message', $1::text)) returning id`,
    [reason],
  );
  return row?.id ?? '';
}

it('has nothing to migrate in a database that is up to date', async () => {
  expect(await run(migrateCommand)).toBe('The database is up to date.\n');
  expect(await run(migrateCommand, ['--json'])).toBe('{"applied":[]}\n');
});

it('lists failed jobs with their reason on one line, retries and drops them', async () => {
  expect(await run(jobsCommand, ['--failed'])).toBe('Nothing has failed permanently.\n');
  const id = await failedJob('The server\nsaid \u001b[31mno');
  expect(await run(jobsCommand, ['--failed'])).toMatch(
    new RegExp(`^${id}  \\S+Z  mail  mail, after 11 tries: The server said \\[31mno\\n$`),
  );
  expect(await run(jobsCommand)).toMatch(/^mail +0 +0 +1 +0 s$/m);
  const { items } = JSON.parse(await run(jobsCommand, ['--failed', '--json']));
  expect(items).toEqual([expect.objectContaining({ id, kind: 'mail', subject: 'mail, after 11 tries' })]);
  expect(JSON.parse(await run(jobsCommand, ['--json'])).items).toContainEqual(
    expect.objectContaining({ queue: 'mail', failed: 1 }),
  );
  await expect(run(jobsCommand, ['--retry', id, '--json'])).rejects.toThrow(UsageError);
  expect(await run(jobsCommand, ['--retry', id])).toBe(`${id} is queued for a retry.\n`);
  expect(await run(jobsCommand)).toMatch(/^mail +1 +0 +0 +\d s$/m);
  for (const unknown of [id, 'x', "'; drop table users --"]) {
    await expect(run(jobsCommand, ['--retry', unknown])).rejects.toThrow(OperatorError);
    await expect(run(jobsCommand, ['--drop', unknown])).rejects.toThrow(OperatorError);
  }
  const otherId = await failedJob('again');
  expect(await run(jobsCommand, ['--drop', otherId])).toBe(`${otherId} was dropped.\n`);
  expect(await run(jobsCommand, ['--failed'])).toBe('Nothing has failed permanently.\n');
  await db.write('delete from pgboss.job where id = $1::uuid', [id]);
});

it('lists, retries and drops failed refunds, deliveries and payments', async () => {
  const failures = await createFailedWork(t);
  const kinds = async () =>
    (await run(jobsCommand, ['--failed']))
      .trim()
      .split('\n')
      .map((line) => line.split('  '))
      .map(([id, , kind]) => `${kind} ${id}`)
      .sort();
  expect(await kinds()).toEqual(
    Object.entries(failures)
      .map(([kind, id]) => `${kind} ${id}`)
      .sort(),
  );
  expect(await run(jobsCommand, ['--drop', failures.payment])).toBe(`${failures.payment} was dropped.\n`);
  for (const id of [failures.job, failures.refund, failures.delivery])
    expect(await run(jobsCommand, ['--retry', id])).toBe(`${id} is queued for a retry.\n`);
  expect(await kinds()).toEqual([`mail ${failures.mail}`]);
  await expect(run(jobsCommand, ['--retry', failures.refund])).rejects.toThrow(OperatorError);
  expect((await db.prisma.refund.findUniqueOrThrow({ where: { id: failures.refund } })).status).toBe(
    'PENDING',
  );
  expect(
    (await db.prisma.webhookDelivery.findUniqueOrThrow({ where: { id: failures.delivery } })).status,
  ).toBe('PENDING');
  await db.write('delete from pgboss.job', []);
});

it('imports and exports files on behalf of a member', async () => {
  const shop = await t.shop();
  const { email } = await db.prisma.user.findUniqueOrThrow({ where: { id: shop.admin.userId } });
  const file = (name: string, as = email ?? '') => [
    ...[name, '--business', shop.businessId],
    ...['--resource', 'products', '--as', as],
  ];
  const env = { MEDIA_DIR: folder };
  await writeFile(join(folder, 'in.csv'), 'name,slug\nCup,cup\n,mug\n');
  const written: string[] = [];
  const context = {
    config: readConfig(env),
    db,
    cwd: folder,
    write: (text: string) => void written.push(text),
  };
  // Rejected lines make the exit code 1.
  await expect(importCommand(context, file('in.csv'))).rejects.toThrow(
    new OperatorError('1 line imported, 1 rejected.'),
  );
  expect(written.join('')).toMatch(/^line 3: VALIDATION_FAILED: name \w+: .+$/m);
  written.length = 0;
  await expect(importCommand(context, [...file('in.csv'), '--json'])).rejects.toThrow(OperatorError);
  expect(JSON.parse(written.join(''))).toMatchObject({
    state: 'COMPLETED',
    rejected: 1,
    errors: [{ line: 3, code: 'VALIDATION_FAILED' }],
  });
  expect(await run(exportCommand, file('out.jsonl'), env)).toMatch(/1 record exported to .*out\.jsonl\.\n$/);
  const [line] = (await readFile(join(folder, 'out.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ name: 'Cup', slug: 'cup' });
  await expect(run(exportCommand, file('out.jsonl'), env)).rejects.toThrow('already exists');
  expect((await stat(join(folder, 'out.jsonl'))).mode & 0o777).toBe(0o600);
  for (const unreadable of ['none.csv', '.'])
    await expect(run(importCommand, file(unreadable), env)).rejects.toThrow('cannot be read');
  await expect(run(exportCommand, file('none/out.jsonl'), env)).rejects.toThrow('cannot be written');
  await expect(run(importCommand, file('in.csv', 'nobody@x.example'), env)).rejects.toThrow(
    'There is no user',
  );
  await expect(run(importCommand, ['in.csv'], env)).rejects.toThrow(UsageError);
  const stranger = await db.prisma.user.findUniqueOrThrow({ where: { id: (await t.shop()).admin.userId } });
  await expect(run(importCommand, file('in.csv', stranger.email ?? ''), env)).rejects.toThrow(OperatorError);
});

it('rotates the stored signing key, but not SIGNING_KEY', async () => {
  expect(await run(keysCommand, ['rotate'])).toMatch(/^New tokens are signed with [\w-]{43}\./);
  await expect(run(keysCommand, ['rotate'], { SIGNING_KEY: '{}' })).rejects.toThrow('SIGNING_KEY is set');
  await expect(run(keysCommand, ['turn'])).rejects.toThrow(UsageError);
});

it('checks the database and suggests fixes', async () => {
  expect(await run(doctorDatabaseCommand)).toBe(
    'ok    database      embedded, can be opened\nok    migrations    up to date\nok    search        tolerates typing errors\nok    jobs          none has failed permanently\nok    webhooks      every endpoint accepts its deliveries\n',
  );
  const id = await failedJob('no');
  await db.write(`insert into pgboss.job (name, start_after) values ('mail', now() - interval '10 minutes')`);
  const written: string[] = [];
  const context = {
    config: readConfig({}),
    db,
    cwd: folder,
    write: (text: string) => void written.push(text),
  };
  await expect(doctorDatabaseCommand(context, [])).rejects.toThrow('Fix the findings marked BAD.');
  expect(written.join('').split('\n').slice(3)).toEqual([
    'note  jobs          1 have failed permanently. See: duet jobs --failed',
    'BAD   jobs          no process has worked on mail for more than 5 minutes. Start a gateway.',
    'ok    webhooks      every endpoint accepts its deliveries',
    '',
  ]);
  const json: string[] = [];
  await expect(
    doctorDatabaseCommand({ ...context, write: (text) => void json.push(text) }, ['--json']),
  ).rejects.toThrow(OperatorError);
  expect(JSON.parse(json.join('')).findings).toContainEqual(
    expect.objectContaining({ subject: 'jobs', level: 'error' }),
  );
  await db.write('delete from pgboss.job where id = $1::uuid or start_after < now()', [id]);
});

it('runs a command in the gateway that has the database open, through a socket for its own user only', async () => {
  const config = readConfig({});
  const calls: unknown[] = [];
  const server = await listenForCommands(folder, { config, db }, (name) =>
    name === 'jobs'
      ? Promise.resolve(jobsCommand)
      : Promise.resolve(async ({ cwd, write }, args) => {
          calls.push({ cwd, args });
          write('one\n');
          throw name === 'wrong' ? new UsageError('not so') : new OperatorError('no room');
        }),
  );
  expect((await stat(join(folder, 'control.sock'))).mode & 0o777).toBe(0o600);
  const runByName = async (name: string, args: string[] = []) => {
    let written = '';
    const hasRun = await runCommandInGateway(folder, { name, args, cwd: '/somewhere' }, (text) => {
      written += text;
    });
    return { asked: hasRun, written };
  };
  expect(await runByName('jobs', ['--failed'])).toEqual({
    asked: true,
    written: 'Nothing has failed permanently.\n',
  });
  await expect(runByName('jobs', ['--unknown'])).rejects.toThrow(UsageError);
  await expect(runByName('wrong', ['a'])).rejects.toThrow(new UsageError('not so'));
  await expect(runByName('full')).rejects.toThrow(new OperatorError('no room'));
  expect(calls).toEqual([
    { cwd: '/somewhere', args: ['a'] },
    { cwd: '/somewhere', args: [] },
  ]);
  await new Promise((resolve) => server?.close(resolve));
  expect(await runByName('jobs')).toEqual({ asked: false, written: '' });
});
