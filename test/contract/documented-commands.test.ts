/** Runs every command of the README, the tutorials and the how-to pages, and compares the output with what they show. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guidePages, readDocument } from '../support/documents.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { codeBlocks, matchesPattern, runDocuments } from '../support/run-document.ts';

const tokenPage = 'docs/how-to/get-a-token.md';
const howToPages = guidePages.filter((page) => page.startsWith('docs/how-to/') && page !== tokenPage);

let folder: string;
let gateway: Gateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-documents-'));
  gateway = await startGateway({ DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

// First: it shows the stock of the fresh demo shop.
it('runs the commands of the README', async () => {
  const failures = await runDocuments(['README.md'], {
    folder,
    url: gateway.url,
    env: { PATH: process.env.PATH },
  });
  expect(failures).toEqual([]);
});

it('runs the commands of the how-to pages', async () => {
  const others = ['docs/tutorials/migrating-from-rest.md', 'docs/reference/webhooks.md'];
  const failures = await runDocuments([tokenPage, ...howToPages, ...others], {
    folder,
    url: gateway.url,
    env: { PATH: process.env.PATH },
  });
  expect(failures).toEqual([]);
});

// The files in ops/ that these commands use have tests of their own.
it('shows commands for other machines as `console`, and only those', () => {
  const programs =
    /^(?:[A-Z_]+=|export|duet|docker|helm|kubectl|systemctl|systemd-run|npm|npx|sudo|apt|cd|mkdir|ln|git|psql|createdb|pg_dump|cp|install|varnishd|openssl|\s|#|$)/;
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
