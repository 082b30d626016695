/** A gateway that cannot start prints one line with the cause and the fix. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertValidSigningKeyConfig } from '../../src/auth/gateway-keys.ts';
import { readConfig } from '../../src/config.ts';
import { listMisspeltVariables } from '../../src/find-misspelt-variables.ts';
import { runDuet } from '../support/cli.ts';
import { freePort } from '../support/gateway-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-start-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'locked'), { mode: 0o700 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const failure = (line: string) => ({ code: 1, stdout: '', stderr: `${line}\n` });
const fresh = (name: string) => ({ DATA_DIR: join(folder, name), SEED_DEMO: 'off' });

it('names a database server that does not respond', async () => {
  const port = await freePort();
  const env = { DATABASE_URL: `postgresql://duet:secret@127.0.0.1:${port}/duet` };
  expect(await runDuet(['start'], { env })).toEqual(
    failure(
      `DATABASE_URL: nothing answers at 127.0.0.1:${port}. Start PostgreSQL there, or correct the address.`,
    ),
  );
});

it('rejects an invalid DATABASE_URL', async () => {
  expect(await runDuet(['start'], { env: { DATABASE_URL: 'localhost:5432/duet' } })).toEqual(
    failure('DATABASE_URL: must look like postgresql://user:password@host:5432/name'),
  );
});

it('reports every invalid variable, one line each', () => {
  const read = () => readConfig({ PORT: '99999999', REDIS_URL: 'nowhere', SMTP_URL: 'nowhere' });
  expect(read).toThrow(/^PORT: .+\nREDIS_URL: .+\nSMTP_URL: [^\n]+$/);
});

it('names a port that is in use', async () => {
  const occupied = createServer();
  const port = await new Promise<number>((resolve) =>
    occupied.listen(0, () => resolve((occupied.address() as { port: number }).port)),
  );
  const result = await runDuet(['start'], { env: { ...fresh('port'), PORT: String(port) } });
  occupied.close();
  expect(result).toEqual(
    failure(`PORT: ${port} is taken by another process. Stop that one, or choose another port.`),
  );
});

it('names a data folder that is a file', async () => {
  const path = join(folder, 'file');
  expect(await runDuet(['start'], { env: { DATA_DIR: path } })).toEqual(
    failure(`DATA_DIR: ${path} is a file. Name a folder, or one that does not exist yet.`),
  );
});

it('names a media folder that is a file', async () => {
  const path = join(folder, 'file');
  const line = `MEDIA_DIR: ${path} is a file. Name a folder, or one that does not exist yet.`;
  for (const MEDIA_DIR of [path, join(path, 'media')]) {
    const env = { ...fresh('media'), MEDIA_DIR };
    expect(await runDuet(['start'], { env })).toEqual(failure(line));
    expect(await runDuet(['doctor'], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`BAD   files         ${line}`),
    });
  }
});

it.runIf(process.getuid?.() === 0)('reports a media folder that cannot be written', async () => {
  const path = join(folder, 'locked');
  const env = { ...fresh('locked-media'), MEDIA_DIR: join(path, 'media') };
  expect(await runDuet(['doctor'], { env, uid: 65_534 })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`this user may not write to ${env.MEDIA_DIR}. Change`),
  });
});

it.runIf(existsSync('/proc/self'))('names a data folder that cannot be created', async () => {
  expect(await runDuet(['start'], { env: { DATA_DIR: '/proc/nope' } })).toEqual(
    failure('DATA_DIR: the folder /proc/nope cannot be created there. Name another folder.'),
  );
});

it.each(['name', 'name=a%', 'name=a%0Ab'])(
  'rejects malformed headers of the trace collector: %s',
  (headers) => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS: must look like name=value,other=value, percent-encoded and without line breaks',
    );
  },
);

it('names misspelt variables next to the errors that they cause', async () => {
  const hint = 'DATABSE_URL is not a known variable; did you mean DATABASE_URL?';
  expect(() => readConfig({ NODE_ENV: 'production', DATABSE_URL: 'x' })).toThrow(hint);
  expect(listMisspeltVariables({ DATABSE_URL: 'x', LOG_LEVL: 'x' })).toEqual([
    hint,
    'LOG_LEVL is not a known variable; did you mean LOG_LEVEL?',
  ]);
  const unrelated = ['HOME', 'HOSTNAME', 'USER', 'SHELL', 'PATH', 'PWD', 'OLDPWD', 'LANG', 'LOGNAME', 'TERM'];
  const others = [
    'REDIS_HOST',
    'SMTP_USER',
    'PGDATABASE',
    'OTEL_TRACES_SAMPLER',
    'NODE_OPTIONS',
    'XDG_DATA_DIRS',
  ];
  expect(
    listMisspeltVariables(Object.fromEntries([...unrelated, ...others].map((name) => [name, 'x']))),
  ).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('names a data folder without access rights', async () => {
  const path = join(folder, 'locked');
  expect(await runDuet(['start'], { env: { DATA_DIR: path }, uid: 65_534 })).toEqual(
    failure(`DATA_DIR: this user may not read and write ${path}. Change its owner, or name another folder.`),
  );
});

const badKey =
  'SIGNING_KEY: must be an EdDSA (Ed25519) private key in JWK format, or a set of them. Without it the gateway creates a key and stores it in the database.';

it('never prints a signing key', async () => {
  const env = { ...fresh('key'), SIGNING_KEY: 'S3CRET-text-that-is-not-a-key' };
  expect(await runDuet(['start'], { env })).toEqual(failure(badKey));
});

it.each([
  ['text', 'S3CRET'],
  ['half a key', '{"kty":"OKP","crv":"Ed25519","d":"S3CRET'],
  ['a key of another kind', '{"kty":"oct","k":"S3CRET"}'],
  ['a key that is too short', '{"kty":"OKP","crv":"Ed25519","x":"S3CRET","d":"S3CRET"}'],
  ['a public key', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'],
  ['nothing at all', 'null'],
  ['an empty set', '{"keys":[]}'],
])('rejects a signing key that is %s', async (_kind, key) => {
  await expect(assertValidSigningKeyConfig(key)).rejects.toThrow(badKey);
});

it('names the variables that production requires', async () => {
  expect(await runDuet(['start'], { env: { NODE_ENV: 'production' } })).toEqual(
    failure(
      'NODE_ENV=production, but these services are still embedded: set DATABASE_URL, SMTP_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, or SANDBOX=allowed to run with embedded services.',
    ),
  );
});

it('lists its commands, and rejects unknown ones', async () => {
  const help = await runDuet(['help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  const unknown = await runDuet(['strat']);
  const message = 'There is no command strat. Did you mean start?';
  expect(unknown).toEqual({ code: 2, stdout: '', stderr: `${message}\n"duet --help" lists all commands.\n` });
});
