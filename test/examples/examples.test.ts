/** The client packages and the examples that use them: made, packed, compiled and run against a live gateway. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentRegistry, documentHash } from '../../src/graphql/http/trusted-documents.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser, openMonitoredPage } from '../support/browser.ts';
import { storedOperationSources } from '../support/stored-operations.ts';
import { clients, compile, folderOf, link, patience, run, scratchFolder, succeed, tool } from './commands.ts';
import { buy, subscribe, useAccount, watchOrder } from './shop-purchase.ts';
import { type RunningShop, startShop } from './shop-server.ts';
import { fillCart, findProduct, signIn, Visitor } from './shop-visit.ts';

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
}, patience);

/** A shop's own origin, with a page that runs a script. */
async function startFrontend(script: string): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/shop.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script type="module" src="/shop.js"></script>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const storedOperations = () =>
  storedOperationSources().flatMap((source) => source.match(/^(?:query|mutation) /gm) ?? []);

describe('packages', () => {
  const home = join(scratch, 'shop');
  const tries = ['shop.ts', 'own.ts', 'mocked.ts', 'in-browser.ts'];

  /** In a folder of their own, as somebody has them who installed what would be published. */
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
  }, patience);

  it.each(clients)('%s is small', (client) => {
    const dist = join(home, 'node_modules', client, 'dist');
    const files = readdirSync(dist).filter((name) => name.endsWith('.js') && name !== 'mocks.js');
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
    expect(bytes).toBeLessThan(15_000);
  });

  it('hold every stored operation in the words whose id the gateway knows', async () => {
    const known = createDocumentRegistry({
      manifestPath: 'schema/documents.json',
      folder: undefined,
      trustedOnly: true,
    });
    const made = (await import(
      join(folderOf('duet-client-graphql'), 'src/generated/operations.ts')
    )) as object;
    const texts = Object.entries(made).flatMap(([name, it]) => (name.endsWith('Document') ? String(it) : []));
    expect(texts.length).toBe(storedOperations().length);
    expect(texts.filter((text) => known.resolve({ documentId: documentHash(text) }) !== text)).toEqual([]);
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
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: tries }));
      symlinkSync(resolve('node_modules/msw'), join(home, 'node_modules', 'msw'));
      for (const name of tries) writeFileSync(join(home, name), readFileSync(join('packages/try', name)));
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
        run(home, process.execPath, ['shop.js'], { DUET_URL: base, WEBHOOK: event }),
      );
      expect(JSON.parse(output)).toEqual({
        products: { onPages: true, inRest: true },
        refused: ['ValidationError', 'OUT_OF_STOCK', true],
        forbidden: ['ForbiddenError', 'FORBIDDEN'],
        lostAnswer: { requests: 2, keys: 1, orders: 1, ofThisGuest: 1 },
        lostQuestion: { requests: 2 },
        refreshed: { isSameGuest: true, told: 2 },
        ended: ['UnauthenticatedError', null],
        trusted: [['documentId', 'variables'], 2],
        watched: 'number',
        outlived: 2,
        reopened: [2, ['object', true, 'object', false]],
        halted: 'AbortError',
        webhook: ['order.created', 4200, 'WebhookError'],
      });
    },
    patience,
  );

  it('run documents of one’s own, typed by what they select', async () => {
    const output = await succeed(run(home, process.execPath, ['own.js'], { DUET_URL: base }));
    expect(JSON.parse(output)).toEqual({ shelf: true, heading: true, counted: 'number', watched: true });
  });

  it(
    'do not compile documents that the schema has no answer for, and say why',
    async () => {
      const faults = {
        '{ products(businessId: "b") { nodes { nam } } }': 'Product has no field nam.',
        '{ products(busines: "b", businessId: "b") { totalCount } }': 'Query.products takes no busines.',
        '{ products { totalCount } }': 'Query.products needs businessId.',
        '{ me }': 'Query.me needs a selection of fields.',
        '{ me { id { x } } }': 'User.id has no fields.',
        'query ($id: UUID!) { node(id: $id) { id } }': 'There is no type UUID.',
        '{ node(id: "n") { ... on Produkt { id } } }': 'There is no type Produkt.',
        '{ me { ...Who } }': 'There is no fragment Who.',
        'query (': 'This is no GraphQL document.',
      };
      const lines = Object.keys(faults).map((text) => `gql(${JSON.stringify(text)});`);
      const source = ["import { gql } from 'duet-client-graphql/gql';", ...lines].join('\n');
      writeFileSync(join(home, 'wrong.ts'), source);
      const config = { extends: './tsconfig.json', compilerOptions: { noEmit: true }, files: ['wrong.ts'] };
      writeFileSync(join(home, 'wrong.json'), JSON.stringify(config));
      const { output } = await run(home, tool(resolve('.'), 'tsc'), ['-p', 'wrong.json']);
      const said = [...output.matchAll(/^wrong\.ts\((\d+),.*parameter of type '"(.*)"'\.$/gm)];
      expect(said.map(([, line, fault]) => [Number(line) - 2, fault])).toEqual(
        Object.values(faults).map((fault, line) => [line, fault]),
      );
    },
    patience,
  );

  it('run in a browser, bundled, from an origin of its own', async () => {
    const bundle = await rolldown({ input: join(home, 'in-browser.ts'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`${await startFrontend(output[0].code)}/?gateway=${base}`);
    const shown = await page.locator('output').textContent();
    expect(JSON.parse(shown ?? '')).toEqual({
      onPages: true,
      inGraphql: true,
      refused: ['ValidationError', true],
      sold: 3,
    });
    expect(faults).toEqual([]);
  });

  it('run without a gateway, on mocks that answer with the examples', async () => {
    expect(JSON.parse(await succeed(run(home, process.execPath, ['mocked.js'])))).toEqual({
      rows: true,
      operations: storedOperations().length,
      listed: ['Cup'],
      inGraphql: ['Cup'],
      tokens: ['string', true],
      unknown: [
        'The mocks have no row GET /v1/nowhere.',
        ['BadRequestError', 'The mocks have no operation Own: say with answering() what it gets.', []],
      ],
      changed: 'Kettle',
      refused: ['ValidationError', 'None left.', ['OUT_OF_STOCK']],
      own: { me: { name: 'ADA' } },
      refusedInGraphql: ['NotFoundError', 'No such product.', []],
      seen: ['v'],
      trusted: 1,
      refusedTrusted: ['NotFoundError', 'No such product.', []],
    });
  });
});

describe('storefront-graphql', () => {
  const example = resolve('examples/storefront-graphql');

  beforeAll(async () => {
    link(example, 'duet-client-graphql');
    await succeed(run(example, tool(example, 'graphql-codegen'), []));
  }, patience);

  it('compiles', () => succeed(run(example, tool(example, 'tsc'), [])), patience);

  describe('in a browser, on a gateway that trusts its documents alone', () => {
    let shop: RunningShop;
    beforeAll(async () => {
      shop = await startShop(example);
      return shop.stop;
    }, patience);

    it('is light', async () => {
      const script = await fetch(`${shop.origin}/shop.js`);
      expect((await script.arrayBuffer()).byteLength).toBeLessThan(100_000);
    });

    it.each([
      ['desktop', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
      ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ] as const)(
      'sells, on a %s',
      async (name, options) => {
        const { page, problems: complaints } = await openMonitoredPage(browser, shop.origin, { locale: 'en-US', ...options });
        const visitor = new Visitor(page, shop, name);
        await findProduct(visitor);
        await fillCart(visitor);
        await signIn(visitor);
        await buy(visitor);
        await watchOrder(visitor);
        await useAccount(visitor);
        await subscribe(visitor);
        const own = `foreign request: ${shop.gateway}`;
        expect(complaints.filter((complaint) => !complaint.startsWith(own))).toEqual([]);
        await page.close();
      },
      patience,
    );
  });

  const probe = (
    field: string,
  ) => `import { createClient } from '${join(folderOf('duet-client-graphql'), 'src')}/index.ts';
import { CatalogueDocument } from '${join(example, 'src/generated/graphql')}';
const { products } = await createClient({ url: '' }).run(CatalogueDocument, { businessId: '' });
console.log(products.nodes[0]?.${field});
export {};
`;

  it(
    'does not compile with a field that was not selected',
    async () => {
      expect(await compile(scratch, example, probe('name'))).toMatchObject({ code: 0 });
      const { code, output } = await compile(scratch, example, probe('nam'));
      expect(code).not.toBe(0);
      expect(output).toContain("Property 'nam' does not exist");
    },
    patience,
  );

  it(
    'does not generate with a field that does not exist',
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
      // It says little in tests.
      const { code, output } = await run(example, tool(example, 'graphql-codegen'), args, { NODE_ENV: '' });
      expect(code).not.toBe(0);
      expect(output).toContain('Cannot query field "nam" on type "Product"');
    },
    patience,
  );
});

describe('legacy-rest', () => {
  const example = resolve('examples/legacy-rest');

  beforeAll(() => link(example, 'duet-client-rest'));

  it(
    'compiles and runs',
    async () => {
      await succeed(run(example, tool(example, 'tsc'), []));
      const output = await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: base }));
      expect(output).toMatch(/^5 products, and more\n- \w.*\d\.\d\d [A-Z]{3}\n/);
      expect(output).toMatch(/There is no such promo code\nOne of them costs \d+\.\d\d USD, delivered\n/);
      expect(output).toMatch(/\nPay at http\S+\/sandbox\/pay\/\S+\n$/);
    },
    patience,
  );

  const probe = (name: string, field: string) => `
const page = await createClient({ url: '' }).api.${name}({ path: { businessId: '' } });
console.log(page.items[0]?.${field});
`;
  const head = `import { createClient } from '${join(folderOf('duet-client-rest'), 'src')}/index.ts';\n`;

  it(
    'does not compile with a field or an operation that does not exist',
    async () => {
      const right = await compile(scratch, example, `${head}{${probe('ListProducts', 'name')}}`);
      expect(right.code, right.output).toBe(0);
      const wrong = await compile(
        scratch,
        example,
        `${head}{${probe('ListProducts', 'nam')}}{${probe('ListProduct', 'name')}}`,
      );
      expect(wrong.code).not.toBe(0);
      expect(wrong.output).toContain("Property 'nam' does not exist");
      expect(wrong.output).toContain("Property 'ListProduct' does not exist");
    },
    patience,
  );
});
