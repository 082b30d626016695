/** Arguments of every command: help within 80 columns, suggestions for wrong names, and no database created by mistake. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command-types-and-usage-error.ts';
import { commandsByName } from '../../src/cli/commands-by-name.ts';
import { databaseCommandsByName } from '../../src/cli/database-commands-by-name.ts';
import { formatCliUsage, formatCommandHelp } from '../../src/cli/format-help.ts';
import { parseCommandArgs } from '../../src/cli/parse-command-args.ts';
import { openDb } from '../../src/db/open-db.ts';
import { bulkResources } from '../../src/domains/bulk/model.ts';
import { packageVersion } from '../../src/lib/package-info.ts';
import { runDuet } from '../support/cli.ts';
import { testDatabaseUrl } from '../support/database.ts';

let folder: string;
let env: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-arguments-'));
  env = { DATA_DIR: join(folder, 'data') };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('help', () => {
  it('of each command has its options, and fits 80 columns', () => {
    for (const text of [formatCliUsage(), ...[...commandsByName.values()].map(formatCommandHelp)])
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const command of commandsByName.values()) {
      const optionsInUsage = [...command.usage.matchAll(/--[a-z-]+/g)].map(([option]) => option);
      const described = Object.keys(command.options ?? {}).map((label) => label.split(' ')[0] ?? '');
      expect(described.filter((label) => label.startsWith('-')).sort()).toEqual(optionsInUsage.sort());
      // Arguments that are described are in the usage, too.
      for (const label of described) expect(command.usage).toContain(label);
    }
  });

  it('aligns the descriptions of all commands, and names subcommands', () => {
    const groups = formatCliUsage().split('\n\n').slice(1, -1);
    expect(groups.map((group) => group.split('\n')[0])).toEqual([
      'Run a gateway:',
      'Fill a shop:',
      'Operate:',
    ]);
    const list = groups.flatMap((group) => group.split('\n').slice(1)).join('\n');
    for (const name of commandsByName.keys()) expect(list).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    const columns = list.split('\n').map((line) => /^(?: {2}\S+(?: [a-z]+)? {2,}| +)/.exec(line)?.[0].length);
    expect(new Set(columns).size, list).toBe(1);
    expect(list).toMatch(/^ {2}keys rotate {2,}create/m);
  });

  it('lists every resource of imports and exports', () => {
    for (const name of ['import', 'export'])
      expect(
        bulkResources.filter(
          (resource) =>
            !commandsByName.get(name)?.options?.['--resource NAME']?.includes(resource.toLowerCase()),
        ),
      ).toEqual([]);
  });

  it('is printed for one command, and the version on request', async () => {
    const { code, stdout } = await runDuet(['import', 'x', '--help'], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: duet import FILE .*--business ID/s)]);
    for (const args of [
      ['help', 'import'],
      ['import', '-h'],
    ])
      expect((await runDuet(args, { env })).stdout).toBe(stdout);
    expect(await runDuet(['help', 'imprt'], { env })).toMatchObject({
      code: 2,
      stderr: 'There is no command imprt. Did you mean import?\n"duet --help" lists all commands.\n',
    });
    expect(await runDuet(['serve'], { env })).toMatchObject({
      code: 2,
      stderr: 'There is no command serve. Did you mean start?\n"duet --help" lists all commands.\n',
    });
    expect(await runDuet(['--hlep'], { env })).toMatchObject({
      code: 2,
      stderr: 'There is no option --hlep. Did you mean --help?\n"duet --help" lists all commands.\n',
    });
    expect(await runDuet(['--version'])).toEqual({ code: 0, stdout: `${packageVersion}\n`, stderr: '' });
  });
});

describe('wrong arguments', () => {
  it('are rejected with a suggestion', () => {
    const options = { replace: { type: 'boolean' }, days: { type: 'string' } } as const;
    const parse = (...args: string[]) => parseCommandArgs(args, options, ['FILE']);
    expect(() => parse('f', '--replce')).toThrow(
      new UsageError('There is no option --replce. Did you mean --replace?'),
    );
    expect(() => parse('f', '--nope')).toThrow(new UsageError('There is no option --nope.'));
    expect(() => parse('f', '--public-url', 'x')).toThrow(
      new UsageError('There is no option --public-url. Set the variable PUBLIC_URL instead.'),
    );
    expect(() => parse('f', '-x')).toThrow(new UsageError('There is no option -x.'));
    expect(() => parse('f', 'g')).toThrow(new UsageError('Unexpected argument "g".'));
    expect(() => parse()).toThrow(new UsageError('The argument FILE is missing.'));
    expect(() => parse('f', '--rep')).toThrow(
      new UsageError('There is no option --rep. Did you mean --replace?'),
    );
    expect(() => parse('f', '--days')).toThrow(new UsageError('The option --days needs a value.'));
    expect(() => parse('f', '--days', '--replace')).toThrow(
      new UsageError('The option --days needs a value; "--replace" is an option.'),
    );
    expect(parse('f', '--days=-3').values).toEqual({ days: '-3' });
    expect(parse('f', '--days', '3').values).toEqual({ days: '3' });
  });

  it.each(Object.keys(databaseCommandsByName))(
    'of `duet %s` are found before the database is opened',
    async (name) => {
      const command = await databaseCommandsByName[name as keyof typeof databaseCommandsByName].load();
      expect(() => command.checkArgs?.(['--nope'])).toThrow(UsageError);
      expect(() => command.checkArgs?.(['rotate', 'one', 'two'])).toThrow(UsageError);
    },
  );

  it('exit with code 2 and create no database', async () => {
    for (const args of [
      ['start', '--nope'],
      ['start', 'now'],
      ['start', '--workers', 'many'],
      ['migrate', '--dry'],
      ['usage', '--days', 'x'],
    ])
      expect(await runDuet(args, { env }), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect((await runDuet(['restore', 'f', '--replce'], { env })).stderr).toBe(
      'There is no option --replce. Did you mean --replace?\nUsage: duet restore FILE [--replace]\n',
    );
    expect((await runDuet(['import', 'f', '--business', 'b'], { env })).stderr).toMatch(
      /^Specify --resource with one of products, .*, and --as with the email address of a member\.\n/,
    );
    expect(await runDuet(['restore', 'missing.tar.gz'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The file \S+missing\.tar\.gz cannot be read\./),
    });
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });
});

it('commands report variables that are close to a known name', async () => {
  const misspelt = { ...env, DATABSE_URL: 'postgresql://localhost/duet' };
  expect(await runDuet(['jobs'], { env: misspelt })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATABSE_URL is not a known variable; did you mean DATABASE_URL\?\nThere is no data/,
    ),
  });
});

it('commands that work on a database do not create one', async () => {
  for (const args of [['usage'], ['jobs'], ['keys', 'rotate'], ['audit'], ['backup', 'f']])
    expect(await runDuet(args, { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${env.DATA_DIR}. Set DATA_DIR or DATABASE_URL, or create it with "duet start" or "duet migrate".\n`,
    });
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

it('commands on a database without migrations name the command that applies them', async () => {
  const unmigrated = { DATABASE_URL: await testDatabaseUrl({ migrated: false }) };
  for (const args of [['usage'], ['jobs', '--failed'], ['keys', 'rotate'], ['audit']]) {
    const { code, stdout, stderr } = await runDuet(args, { env: unmigrated });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The database lacks \d+ migrations\. Run: duet migrate\n$/);
  }
});

it('folders and unreadable files are named in one line, and backups are readable by their owner only, also of a database that lacks migrations', async () => {
  const data = { DATA_DIR: join(folder, 'backed-up'), SEED_DEMO: 'off' };
  expect(await runDuet(['migrate'], { env: data })).toMatchObject({ code: 0 });
  await mkdir(join(folder, 'taken', 'full'), { recursive: true });
  for (const args of [
    ['backup', join(folder, 'taken')],
    ['restore', join(folder, 'taken'), '--replace'],
  ]) {
    const { code, stderr } = await runDuet(args, { env: data });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]+taken[^\n]+\n$/)]);
  }
  const file = join(folder, 'backup.tar.gz');
  expect(await runDuet(['backup', file, '--json'], { env: data })).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ file })}\n`,
    stderr: '',
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const rotated = await runDuet(['keys', 'rotate', '--json'], { env: data });
  expect(JSON.parse(rotated.stdout)).toEqual({ kid: expect.stringMatching(/./), revoked: false });
  await writeFile(join(folder, 'text'), 'text');
  const documents = { ...data, TRUSTED_DOCUMENTS: join(folder, 'text') };
  const { code, stderr } = await runDuet(['start'], { env: documents });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^TRUSTED_DOCUMENTS: [^\n]+\n$/)]);

  const db = await openDb({ dataDir: join(data.DATA_DIR, 'db') });
  await db.sql(
    'delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations)',
  );
  await db.close();
  expect(await runDuet(['backup', file], { env: data })).toMatchObject({ code: 0, stderr: '' });
});
