/** Runs every command of the tutorials, and compares the output with what they show. Each tutorial has its own gateway, as its reader has. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { testDatabaseUrl } from '../support/database.ts';
import { guidePages, readDocument } from '../support/documents.ts';
import { type FakeLlm, startFakeLlm } from '../support/fake-llm.ts';
import { freePort, type Gateway, startGateway } from '../support/gateway-process.ts';
import { codeBlocks, duetCommand, runDocuments } from '../support/run-document.ts';

const root = mkdtempSync(join(tmpdir(), 'duet-tutorials-'));
const running: (Gateway | FakeLlm)[] = [];
afterAll(async () => {
  await Promise.all(running.map((program) => program.stop()));
  rmSync(root, { recursive: true, force: true });
});

/** Folder of one tutorial. */
function createFolder(name: string): string {
  mkdirSync(join(root, name));
  return join(root, name);
}

async function start(env: Record<string, string>): Promise<Gateway> {
  const gateway = await startGateway(env);
  running.push(gateway);
  return gateway;
}

const tutorial = (name: string) => [`docs/tutorials/${name}.md`];
const run = (name: string, { url }: Gateway, folder: string, env: object = {}, preamble = '') =>
  runDocuments(tutorial(name), { folder, url, env: { PATH: process.env.PATH, ...env }, preamble });

it('first shop', async () => {
  const folder = createFolder('first-shop');
  const env = { DATA_DIR: join(folder, '.data'), SEED_DEMO: 'off' };
  expect(await run('first-shop', await start(env), folder, {}, duetCommand(env))).toEqual([]);
});

it('an agent that shops', async () => {
  const folder = createFolder('shopping-agent');
  const llm = await startFakeLlm();
  running.push(llm);
  const gateway = await start({ DATA_DIR: join(folder, '.data') });
  const env = { LLM_BASE_URL: llm.url, SHOP: gateway.url };
  expect(await run('shopping-agent', gateway, folder, env)).toEqual([]);
  expect(llm.protocolErrors).toEqual([]);
});

it('a storefront rendered on the server', async () => {
  const folder = createFolder('storefront');
  const origin = `http://localhost:${await freePort()}`;
  const gateway = await start({ DATA_DIR: join(folder, '.data'), ALLOWED_ORIGINS: origin });
  const env = { ORIGIN: origin, DUET_URL: gateway.url };
  expect(
    await runDocuments(tutorial('server-rendered-storefront'), {
      folder,
      url: gateway.url,
      env: { PATH: process.env.PATH, ...env },
      otherHosts: { 'localhost:5173': new URL(origin).host },
    }),
  ).toEqual([]);
});

it('to production on one server', async () => {
  const folder = createFolder('production');
  const block = codeBlocks(readDocument('docs/tutorials/production-on-one-server.md')).find(
    ({ note }) => note === 'gateway.env',
  );
  const database = { DATABASE_URL: await testDatabaseUrl(), DATA_DIR: join(folder, '.data') };
  const settings = parseEnv(block?.lines.join('\n') ?? '') as Record<string, string>;
  // In production the line that a gateway listens has the level `info`.
  const gateway = await start({ ...settings, ...database, LOG_LEVEL: 'info' });
  expect(await run('production-on-one-server', gateway, folder, {}, duetCommand(database))).toEqual([]);
});

it('runs commands of every tutorial that shows some', () => {
  const withCommands = guidePages.filter(
    (page) =>
      page.startsWith('docs/tutorials/') &&
      codeBlocks(readDocument(page)).some(({ language }) => language === 'sh'),
  );
  // test/contract/documented-commands.test.ts runs those of migrating-from-rest.
  const executed = [
    'first-shop',
    'migrating-from-rest',
    'server-rendered-storefront',
    'shopping-agent',
    'production-on-one-server',
  ].flatMap(tutorial);
  expect(withCommands.sort()).toEqual(executed.sort());
});
