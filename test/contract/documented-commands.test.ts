/** Runs every command of the README, the tutorials and the how-to pages, and compares the output with what they show. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabaseUrl } from '../support/database.ts';
import { guidePages, readDocument } from '../support/documents.ts';
import { freePort, type Gateway, startGateway } from '../support/gateway-process.ts';
import {
  codeBlocks,
  duetCommand,
  matchesPattern,
  type RunOptions,
  runDocuments,
} from '../support/run-document.ts';

const tokenPage = 'docs/how-to/get-a-token.md';
/** Continues on another database. */
const movePage = 'docs/how-to/move-to-postgresql.md';
const howToPages = guidePages.filter(
  (page) => page.startsWith('docs/how-to/') && ![tokenPage, movePage].includes(page),
);

let folder: string;
let gateway: Gateway;
let env: Record<string, string>;
/** Ports that the documents name, and those that replace them. */
let ports: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-documents-'));
  const [metrics = '', receiver = ''] = await Promise.all([0, 0].map(async () => String(await freePort())));
  ports = { 'localhost:9100': `localhost:${metrics}`, '4005': receiver };
  env = { DATA_DIR: join(folder, 'data') };
  gateway = await startGateway({
    ...env,
    METRICS_PORT: metrics,
    // With the limits that a reader has.
    RATE_LIMIT: 'on',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (documents: readonly string[], options: Partial<RunOptions> = {}) =>
  runDocuments(documents, {
    folder,
    url: gateway.url,
    env: { PATH: process.env.PATH },
    otherHosts: ports,
    ...options,
  });

// First: it shows the stock of the fresh demo shop.
it('runs the commands of the README', async () => {
  expect(await run(['README.md'])).toEqual([]);
});

it('runs the commands of the how-to pages', async () => {
  const others = ['docs/tutorials/migrating-from-rest.md', 'docs/reference/webhooks.md'];
  const failures = await run([tokenPage, ...howToPages, ...others], { preamble: duetCommand(env) });
  expect(failures).toEqual([]);
});

it('moves a shop to PostgreSQL', async () => {
  const databaseUrl = 'postgresql://duet:password@localhost:5432/duet';
  const otherHosts = { [databaseUrl]: await testDatabaseUrl() };
  expect(await run([movePage], { preamble: duetCommand(env), otherHosts })).toEqual([]);
});

// The files in ops/ that these commands use have tests of their own.
it('shows commands for other machines as `console`, and only those', () => {
  const programs =
    /^(?:[A-Z_]+=|export|duet|docker|helm|kubectl|systemctl|systemd-run|journalctl|stripe|npm|npx|runuser|sudo|apt|cd|mkdir|ln|git|psql|createdb|pg_dump|cp|install|varnishd|openssl|\s|#|$)/;
  const wrong = guidePages.flatMap((page) =>
    codeBlocks(readDocument(page))
      .filter(({ language }) => language === 'console')
      .flatMap(({ lines }) => lines.filter((line) => !programs.test(line)).map((line) => `${page}: ${line}`)),
  );
  expect(wrong).toEqual([]);
});

it('compares outputs in their order, with `…` for any text', () => {
  expect(matchesPattern('{"id":"…","a":1,…', '{"id":"x", "a":1,"b":2}')).toBe(true);
  expect(matchesPattern('…"total":4292}', '{"total":4292}')).toBe(true);
  expect(matchesPattern('…"total":4292}', '{"total":4292,"x":1}')).toBe(false);
  expect(matchesPattern('PAID', 'UNPAID')).toBe(false);
  expect(matchesPattern('a…b…c', 'a c b')).toBe(false);
});
