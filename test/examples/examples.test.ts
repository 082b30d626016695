/** The example clients: generated, compiled and run against a live gateway; a wrong field name does not compile. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

const patience = 180_000;
const scratch = mkdtempSync(join(tmpdir(), 'duet-examples-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  base = await listen(t);
});

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
      compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
      include: [],
      files: [file],
    }),
  );
  return run(example, tool(example, 'tsc'), ['-p', scratch]);
}

describe('storefront-graphql', () => {
  const example = resolve('examples/storefront-graphql');
  const client = join(example, 'src/client');

  beforeAll(async () => {
    await succeed(run(example, tool(example, 'graphql-codegen'), []));
  }, patience);

  it(
    'compiles and runs',
    async () => {
      await succeed(run(example, tool(example, 'tsc'), []));
      const output = await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: base }));
      expect(output).toMatch(/^\d+ products\n- \w.*\d\.\d\d [A-Z]{3}\n/);
      expect(output).toMatch(/costs \d+\.\d\d USD, delivered\nPay at http\S+\/sandbox\/pay\/\S+\n$/);
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

  const probe = (field: string) => `import { createClient } from '${client}';
import { CatalogueDocument } from '${join(example, 'src/generated/graphql')}';
const { products } = await createClient('').run(CatalogueDocument, { businessId: '' });
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

  beforeAll(async () => {
    // Its generator needs a TypeScript with an API, which the project's own no longer has.
    if (!existsSync(join(example, 'node_modules/.bin/openapi-typescript')))
      await succeed(run(example, 'npm', ['ci', '--no-fund', '--no-audit', '--prefer-offline']));
    await succeed(run(example, 'npm', ['run', '--silent', 'generate']));
  }, patience);

  it(
    'compiles and runs',
    async () => {
      await succeed(run(example, tool(example, 'tsc'), []));
      const output = await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: base }));
      expect(output).toMatch(/^5 products, and more\n- \w.*\d\.\d\d [A-Z]{3}\n/);
      expect(output).toMatch(/costs \d+\.\d\d USD, delivered\nPay at http\S+\/sandbox\/pay\/\S+\n$/);
    },
    patience,
  );

  const probe = (path: string, field: string) => `
const page = unwrap(await createClient('').GET('${path}', { params: { path: { businessId: '' } } }));
console.log(page.items[0]?.${field});
`;
  const head = `import { createClient, unwrap } from '${join(example, 'src/client')}';\n`;
  const products = '/v1/businesses/{businessId}/products';

  it(
    'does not compile with a field or a path that does not exist',
    async () => {
      const right = await compile(example, `${head}{${probe(products, 'name')}}`);
      expect(right.code, right.output).toBe(0);
      const wrong = await compile(
        example,
        `${head}{${probe(products, 'nam')}}{${probe('/v1/businesses/{businessId}/product', 'name')}}`,
      );
      expect(wrong.code).not.toBe(0);
      expect(wrong.output).toContain("Property 'nam' does not exist");
      expect(wrong.output).toContain('/v1/businesses/{businessId}/product');
    },
    patience,
  );
});
