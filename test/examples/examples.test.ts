/** The client packages and the examples that use them: made, packed, compiled and run against a live gateway. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser } from '../support/browser.ts';

const patience = 180_000;
const scratch = mkdtempSync(join(tmpdir(), 'duet-examples-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  base = await listen(t);
  await succeed(run(resolve('.'), tool(resolve('.'), 'tsx'), ['scripts/clients.ts']));
}, patience);

interface Ran {
  code: number;
  output: string;
}

const run = (cwd: string, command: string, args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

/** A tool of the example's own, or else of the project's. */
const tool = (example: string, name: string) =>
  [join(example, 'node_modules/.bin', name), resolve('node_modules/.bin', name)].find((path) =>
    existsSync(path),
  ) ?? name;

async function succeed(ran: Promise<Ran>): Promise<string> {
  const { code, output } = await ran;
  expect(code, output).toBe(0);
  return output;
}

/** Compiles one more file with the settings of an example. */
async function compile(example: string, source: string): Promise<Ran> {
  const file = join(scratch, 'probe.ts');
  writeFileSync(file, source);
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({
      extends: join(example, 'tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')], allowImportingTsExtensions: true },
      include: [],
      files: [file],
    }),
  );
  return run(example, tool(example, 'tsc'), ['-p', scratch]);
}

const clients = ['duet-client-rest', 'duet-client-graphql'] as const;
const folderOf = (client: string) => resolve('packages', client.replace('duet-', ''));

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
  readdirSync('schema/operations').flatMap(
    (name) => readFileSync(join('schema/operations', name), 'utf8').match(/^(?:query|mutation) /gm) ?? [],
  );

/** What `npm install` makes of a dependency on a folder. */
function link(example: string, client: (typeof clients)[number]): void {
  const modules = join(example, 'node_modules');
  mkdirSync(modules, { recursive: true });
  rmSync(join(modules, client), { recursive: true, force: true });
  symlinkSync(folderOf(client), join(modules, client));
}

describe('packages', () => {
  const home = join(scratch, 'shop');
  const tries = ['shop.ts', 'mocked.ts', 'in-browser.ts'];

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
      const body = JSON.stringify({ type: 'order.created', timestamp: new Date().toISOString(), data: {} });
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
        watched: 'number',
        outlived: 2,
        webhook: ['order.created', 'WebhookError'],
      });
    },
    patience,
  );

  it('run in a browser, bundled, from an origin of its own', async () => {
    const bundle = await rolldown({ input: join(home, 'in-browser.ts'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    const page = await (await openBrowser()).newPage();
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
    });
  });
});

describe('storefront-graphql', () => {
  const example = resolve('examples/storefront-graphql');

  beforeAll(async () => {
    link(example, 'duet-client-graphql');
    await succeed(run(example, tool(example, 'graphql-codegen'), []));
  }, patience);

  it(
    'compiles and runs',
    async () => {
      await succeed(run(example, tool(example, 'tsc'), []));
      const output = await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: base }));
      expect(output).toMatch(/^\d+ products\n- \w.*\d\.\d\d [A-Z]{3}\n/);
      expect(output).toMatch(
        /costs \d+\.\d\d USD, delivered\nThe quote is for another cart\nPay at http\S+\/sandbox\/pay\/\S+\n$/,
      );
    },
    patience,
  );

  it(
    'runs on a gateway that trusts its documents alone',
    async () => {
      const closed = await testApp({
        GRAPHQL_DOCUMENTS: 'trusted',
        TRUSTED_DOCUMENTS: join(example, 'src/generated'),
      });
      await seedDemo(closed.db);
      const address = await listen(closed);
      await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: address, TRUSTED: '1' }));
      const manifest = JSON.parse(
        readFileSync(join(example, 'src/generated/persisted-documents.json'), 'utf8'),
      );
      expect(Object.keys(manifest).length).toBeGreaterThan(1);
    },
    patience,
  );

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
      expect(await compile(example, probe('name'))).toMatchObject({ code: 0 });
      const { code, output } = await compile(example, probe('nam'));
      expect(code).not.toBe(0);
      expect(output).toContain("Property 'nam' does not exist");
    },
    patience,
  );

  it(
    'does not generate with a field that does not exist',
    async () => {
      const generate = (field: string) => {
        const config = join(scratch, 'codegen.json');
        const document = join(scratch, 'probe.graphql');
        writeFileSync(document, `query Probe { products(businessId: "b") { nodes { ${field} } } }`);
        writeFileSync(
          config,
          JSON.stringify({
            schema: resolve('schema/schema.graphql'),
            documents: document,
            generates: { [join(scratch, 'generated/')]: { preset: 'client' } },
          }),
        );
        return run(example, tool(example, 'graphql-codegen'), ['--config', config]);
      };
      expect((await generate('name')).code).toBe(0);
      expect((await generate('nam')).code).not.toBe(0);
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
      const right = await compile(example, `${head}{${probe('ListProducts', 'name')}}`);
      expect(right.code, right.output).toBe(0);
      const wrong = await compile(
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
