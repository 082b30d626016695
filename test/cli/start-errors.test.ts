/** A gateway that cannot start says in one line what to do about it. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertSigningKey } from '../../src/auth/signing-keys.ts';
import { readConfig } from '../../src/config.ts';
import { duet } from '../support/duet.ts';
import { freePort } from '../support/process.ts';

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

it('names a server that does not answer', async () => {
  const port = await freePort();
  const env = { DATABASE_URL: `postgresql://duet:secret@127.0.0.1:${port}/duet` };
  expect(await duet(['start'], { env })).toEqual(
    failure(
      `DATABASE_URL: nothing answers at 127.0.0.1:${port}. Start PostgreSQL there, or correct the address.`,
    ),
  );
});

it('refuses an address that is none', async () => {
  expect(await duet(['start'], { env: { DATABASE_URL: 'localhost:5432/duet' } })).toEqual(
    failure('DATABASE_URL: must look like postgresql://user:password@host:5432/name'),
  );
});

it('tells every variable that is wrong, one line each', () => {
  const read = () => readConfig({ PORT: '99999999', REDIS_URL: 'nowhere', SMTP_URL: 'nowhere' });
  expect(read).toThrow(/^PORT: .+\nREDIS_URL: .+\nSMTP_URL: [^\n]+$/);
});

it('names a port that is taken', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) =>
    other.listen(0, () => resolve((other.address() as { port: number }).port)),
  );
  const ended = await duet(['start'], { env: { ...fresh('port'), PORT: String(port) } });
  other.close();
  expect(ended).toEqual(
    failure(`PORT: ${port} is taken by another process. Stop that one, or choose another port.`),
  );
});

it('names a data folder that is a file', async () => {
  const path = join(folder, 'file');
  expect(await duet(['start'], { env: { DATA_DIR: path } })).toEqual(
    failure(`DATA_DIR: ${path} is a file. Name a folder, or one that does not exist yet.`),
  );
});

it.runIf(process.getuid?.() === 0)('names a data folder that it may not use', async () => {
  const path = join(folder, 'locked');
  expect(await duet(['start'], { env: { DATA_DIR: path }, uid: 65_534 })).toEqual(
    failure(`DATA_DIR: this user may not read and write ${path}. Change its owner, or name another folder.`),
  );
});

const badKey =
  'SIGNING_KEY: must be an EdDSA (Ed25519) private key in JWK format, or a set of them. Without it a key is made and kept in the database.';

it('never repeats a signing key', async () => {
  const env = { ...fresh('key'), SIGNING_KEY: 'S3CRET-text-that-is-not-a-key' };
  expect(await duet(['start'], { env })).toEqual(failure(badKey));
});

it.each([
  ['text', 'S3CRET'],
  ['half a key', '{"kty":"OKP","crv":"Ed25519","d":"S3CRET'],
  ['a key of another kind', '{"kty":"oct","k":"S3CRET"}'],
  ['a key that is too short', '{"kty":"OKP","crv":"Ed25519","x":"S3CRET","d":"S3CRET"}'],
  ['a public key', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'],
  ['nothing at all', 'null'],
  ['an empty set', '{"keys":[]}'],
])('refuses a signing key that is %s', async (_kind, key) => {
  await expect(assertSigningKey(key)).rejects.toThrow(badKey);
});

it('names what production still lacks', async () => {
  expect(await duet(['start'], { env: { NODE_ENV: 'production' } })).toEqual(
    failure(
      'NODE_ENV=production, but these parts are still embedded: set DATABASE_URL, SMTP_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, or SANDBOX=allowed to run on the embedded parts.',
    ),
  );
});

it('lists its commands, and refuses others', async () => {
  const help = await duet(['help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  const unknown = await duet(['strat']);
  expect(unknown).toEqual({ code: 2, stdout: '', stderr: `There is no command "strat".\n\n${help.stdout}` });
});
