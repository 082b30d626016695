/** The client packages and the examples that use them: generated, packed, compiled and run against a gateway. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTrustedDocumentRegistry, hashDocument } from '../../src/graphql/http/trusted-documents.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser, openMonitoredPage } from '../support/browser.ts';
import { storedOperationHeads } from '../support/stored-operations.ts';
import { describeClientMatrix } from './client-matrix.ts';
import {
  clients,
  commandTimeout,
  compile,
  folderOf,
  link,
  run,
  scratchFolder,
  succeed,
  tool,
} from './commands.ts';
import { invalidDocuments, liveGatewayOutput } from './expected-output.ts';
import { startFrontend } from './frontend-server.ts';
import { describeLegacyRest } from './legacy-rest.ts';
import { describePrintedCode } from './printed-code.ts';
import { buy, subscribe, useAccount, watchOrder } from './shop-purchase.ts';
import { type RunningShop, startShop } from './shop-server.ts';
import { fillCart, findProduct, signIn, Visitor } from './shop-visit.ts';
import { expectedContent, generateWithPlugin, writeContentTypes } from './typed-content.ts';

const scratch = scratchFolder();

let t: TestApp;
let base: string;
let browser: Browser;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  base = await listen(t);
  browser = await openBrowser();
  await succeed(run(resolve('.'), tool(resolve('.'), 'tsx'), ['scripts/clients.ts']));
}, commandTimeout);

describe('packages', () => {
  const home = join(scratch, 'shop');
  const programs = [
    'live-gateway.ts',
    'custom-documents.ts',
    'mocked.ts',
    'in-browser.ts',
    'typed-content.ts',
  ];
  let contentTypes: string;

  /** Installs the packed packages into a separate folder. */
  beforeAll(async () => {
    for (const client of clients) {
      const folder = join(home, 'node_modules', client);
      mkdirSync(folder, { recursive: true });
      const packed = await succeed(
        run(folderOf(client), 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', home]),
      );
      await succeed(
        run(home, 'tar', ['-xzf', packed.trim().split('\n').at(-1) ?? '', '-C', folder, '--strip=1']),
      );
    }
  }, commandTimeout);

  it.each(clients)('%s is small', (client) => {
    const dist = join(home, 'node_modules', client, 'dist');
    const files = readdirSync(dist).filter((name) => name.endsWith('.js') && name !== 'mocks.js');
    const sizeOf = (file: string) => gzipSync(readFileSync(join(dist, file))).length;
    const code = files
      .filter((name) => name !== 'operations.js')
      .reduce((sum, file) => sum + sizeOf(file), 0);
    expect(code).toBeLessThan(9_500);
    // The texts of the stored operations grow with the contract.
    if (files.includes('operations.js'))
      expect(sizeOf('operations.js')).toBeLessThan(70 * storedOperationHeads().length);
  });

  it('contain every stored operation with the text that the gateway has registered', async () => {
    const registry = createTrustedDocumentRegistry({
      manifestPath: 'schema/documents.json',
      folder: undefined,
      trustedOnly: true,
    });
    const operations = (await import(
      join(folderOf('@duet-gateway/client-graphql'), 'src/generated/operations.ts')
    )) as object;
    const texts = Object.entries(operations).flatMap(([name, document]) =>
      name.endsWith('Document') ? String(document) : [],
    );
    expect(texts.length).toBe(storedOperationHeads().length);
    expect(texts.filter((text) => registry.resolve({ documentId: hashDocument(text) }) !== text)).toEqual([]);
  });

  it(
    'compile strictly, and run under Node',
    async () => {
      const options = {
        target: 'ES2023',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        module: 'NodeNext',
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
      };
      writeFileSync(join(home, 'package.json'), '{"type": "module"}');
      writeFileSync(
        join(home, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files: programs }),
      );
      symlinkSync(resolve('node_modules/msw'), join(home, 'node_modules', 'msw'));
      for (const name of programs) writeFileSync(join(home, name), readFileSync(join('packages/try', name)));
      contentTypes = await writeContentTypes(home, base);
      await succeed(run(home, tool(resolve('.'), 'tsc'), []));
      const secret = `whsec_${Buffer.from('a secret of the shop').toString('base64')}`;
      const body = JSON.stringify({
        type: 'order.created',
        timestamp: new Date().toISOString(),
        data: { total: 4200 },
      });
      const at = new Date();
      const event = JSON.stringify({
        secret,
        body,
        headers: {
          'webhook-id': 'evt',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('evt', at, body)}`,
        },
      });
      const output = await succeed(
        run(home, process.execPath, ['live-gateway.js'], { DUET_URL: base, WEBHOOK: event }),
      );
      expect(JSON.parse(output)).toEqual(liveGatewayOutput);
    },
    commandTimeout,
  );

  it('run custom documents, typed by their selection', async () => {
    const output = await succeed(run(home, process.execPath, ['custom-documents.js'], { DUET_URL: base }));
    expect(JSON.parse(output)).toEqual({ shelf: true, heading: true, quantity: 'number', watched: true });
  });

  it(
    'read content with the types of the command, which the plugin writes too',
    async () => {
      const output = await succeed(run(home, process.execPath, ['typed-content.js'], { DUET_URL: base }));
      expect(JSON.parse(output)).toEqual(expectedContent);
      expect(await generateWithPlugin(home, base)).toBe(contentTypes);
    },
    commandTimeout,
  );

  it(
    'report invalid documents as compile errors with the reason',
    async () => {
      const lines = Object.keys(invalidDocuments).map((text) => `gql(${JSON.stringify(text)});`);
      const source = ["import { gql } from '@duet-gateway/client-graphql/gql';", ...lines].join('\n');
      writeFileSync(join(home, 'invalid.ts'), source);
      const config = { extends: './tsconfig.json', compilerOptions: { noEmit: true }, files: ['invalid.ts'] };
      writeFileSync(join(home, 'invalid.json'), JSON.stringify(config));
      const { output } = await run(home, tool(resolve('.'), 'tsc'), ['-p', 'invalid.json']);
      const errors = [...output.matchAll(/^invalid\.ts\((\d+),.*parameter of type '"(.*)"'\.$/gm)];
      expect(errors.map(([, line, error]) => [Number(line) - 2, error])).toEqual(
        Object.values(invalidDocuments).map((error, line) => [line, error]),
      );
    },
    commandTimeout,
  );

  it('run in a browser, bundled, from another origin', async () => {
    const bundle = await rolldown({ input: join(home, 'in-browser.ts'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    const page = await browser.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    await page.goto(`${await startFrontend(output[0].code)}/?gateway=${base}`);
    const json = await page.locator('output').textContent();
    expect(JSON.parse(json ?? '')).toEqual({
      onPages: true,
      inGraphql: true,
      outOfStock: ['ValidationError', true],
      sold: 3,
    });
    expect(pageErrors).toEqual([]);
  });

  it('run without a gateway, on mocks that respond with the examples of the contract', async () => {
    expect(JSON.parse(await succeed(run(home, process.execPath, ['mocked.js'])))).toEqual({
      routes: true,
      operations: storedOperationHeads().length,
      restNames: ['Cup'],
      graphqlNames: ['Cup'],
      tokens: ['string', true],
      unknownRequests: [
        'The mocks have no route GET /v1/nowhere.',
        ['BadRequestError', 'The mocks have no operation Custom: add its response with answering().', []],
      ],
      changed: 'Kettle',
      restError: ['ValidationError', 'None left.', ['OUT_OF_STOCK']],
      custom: { me: { name: 'ADA' } },
      graphqlError: ['NotFoundError', 'No such product.', []],
      events: ['v'],
      trusted: 1,
      trustedError: ['NotFoundError', 'No such product.', []],
    });
  });
});

describe('storefront-graphql', () => {
  const example = resolve('examples/storefront-graphql');

  beforeAll(async () => {
    link(example, '@duet-gateway/client-graphql');
    await succeed(run(example, tool(example, 'graphql-codegen'), []));
  }, commandTimeout);

  it('compiles', () => succeed(run(example, tool(example, 'tsc'), [])), commandTimeout);

  describe('in a browser, on a gateway that runs only trusted documents', () => {
    let shop: RunningShop;
    beforeAll(async () => {
      shop = await startShop(example);
      return shop.stop;
    }, commandTimeout);

    it('has a script of less than 100 KB', async () => {
      const script = await fetch(`${shop.origin}/shop.js`);
      expect((await script.arrayBuffer()).byteLength).toBeLessThan(100_000);
    });

    it.each([
      ['desktop', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
      ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ] as const)(
      'completes a purchase on a %s',
      async (name, options) => {
        const { page, problems } = await openMonitoredPage(browser, shop.origin, {
          locale: 'en-US',
          ...options,
        });
        const visitor = new Visitor(page, shop, name);
        await findProduct(visitor);
        await fillCart(visitor);
        await signIn(visitor);
        await buy(visitor);
        await watchOrder(visitor);
        await useAccount(visitor);
        await subscribe(visitor);
        const allowed = `foreign request: ${shop.gateway}`;
        expect(problems.filter((problem) => !problem.startsWith(allowed))).toEqual([]);
        await page.close();
      },
      commandTimeout,
    );
  });

  it(
    'fails to compile with a field that is not selected',
    async () => {
      const { code, output } = await compile(
        scratch,
        example,
        `import { createClient } from '${join(folderOf('@duet-gateway/client-graphql'), 'src')}/index.ts';
import { CatalogueDocument } from '${join(example, 'src/generated/graphql')}';
const { products } = await createClient({ url: '' }).run(CatalogueDocument, { businessId: '', market: '' });
console.log(products.nodes[0]?.name);
console.log(products.nodes[0]?.nam);
export {};
`,
      );
      expect(code).not.toBe(0);
      expect(output.match(/^\S+: error .*$/gm)).toEqual([
        expect.stringMatching(/\bprobe\.ts\(5,.*Property 'nam' does not exist/),
      ]);
    },
    commandTimeout,
  );

  it(
    'fails to generate with a field that does not exist',
    async () => {
      const config = join(scratch, 'codegen.json');
      const document = join(scratch, 'probe.graphql');
      writeFileSync(document, `query Probe { products(businessId: "b") { nodes { nam } } }`);
      writeFileSync(
        config,
        JSON.stringify({
          schema: resolve('schema/schema.graphql'),
          documents: document,
          generates: { [join(scratch, 'generated/')]: { preset: 'client' } },
        }),
      );
      const args = ['--config', config, '--verbose'];
      // NODE_ENV=test would suppress the output.
      const { code, output } = await run(example, tool(example, 'graphql-codegen'), args, { NODE_ENV: '' });
      expect(code).not.toBe(0);
      expect(output).toContain('Cannot query field "nam" on type "Product"');
    },
    commandTimeout,
  );
});

describe('clients', () => describeClientMatrix(() => t));

describeLegacyRest(scratch, () => base);
describePrintedCode(scratch, () => base);
