/** The same storefront steps with Relay, Apollo Client, urql, gql.tada, GraphQL Code Generator and TanStack Query: generated, compiled, run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { listenWithSockets } from '../support/graphql-socket-server.ts';
import { commandTimeout, link, run, succeed, tool } from './commands.ts';

const example = resolve('examples/clients');
const runTool = (name: string, ...args: string[]) => succeed(run(example, tool(example, name), args));

const demoBusiness = '01900000-0000-7000-8000-00000000000b';
/** Needs the demo shop, and the client packages, which are built before. */
export function describeClientMatrix(app: () => TestApp): void {
  let url: string;

  beforeAll(async () => {
    const { port } = await listenWithSockets(app());
    url = `http://127.0.0.1:${port}`;
    link(example, '@duet-gateway/client-rest');
    await runTool('tsx', 'generate.ts');
    await Promise.all([runTool('graphql-codegen'), runTool('relay-compiler')]);
  }, commandTimeout);

  it('compiles, and takes every step with every client', { timeout: commandTimeout }, async () => {
    await runTool('tsc');
    const output = await succeed(run(example, tool(example, 'tsx'), ['src/main.ts'], { DUET_URL: url }));
    const results = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { client: string; products: string[] });
    const t = app();
    const admin = await t.db.prisma.user.findFirstOrThrow({ where: { email: 'admin@demo.example' } });
    const { token } = await t.app.services.tokens.issueAccess({ sub: admin.id, provider: 'EMAIL' });
    const list = `{ products(businessId: "${demoBusiness}", first: 4, sort: NAME) { nodes { name } } }`;
    const { data } = await t.graphql(list, {}, { as: { userId: admin.id, token } });
    const { nodes } = (data as unknown as { products: { nodes: { name: string }[] } }).products;
    const products = nodes.map(({ name }) => name);
    expect(products).toHaveLength(4);
    expect(results).toEqual(
      ['apollo', 'fetch', 'relay', 'tanstack', 'urql'].map((client) => ({
        client,
        products,
        product: 'Stoneware Cup',
        refusals: ['OUT_OF_STOCK'],
        stock: expect.any(Number),
      })),
    );
  });

  it('does not compile a field that is not selected', { timeout: commandTimeout }, async () => {
    const probes = join(example, 'src/generated/probes');
    mkdirSync(probes, { recursive: true });
    const files = ['apollo', 'fetch', 'relay', 'tanstack', 'urql'];
    for (const file of files) {
      const source = readFileSync(join(example, 'src', `${file}.ts`), 'utf8');
      expect(source).toContain('product.name');
      writeFileSync(
        join(probes, `${file}.ts`),
        source.replace('product.name', 'product.title').replaceAll("'./", "'../../"),
      );
    }
    const { output } = await run(example, tool(example, 'tsc'), []);
    rmSync(probes, { recursive: true });
    expect(
      output
        .match(/^\S+ error.*$/gm)
        ?.map((line) => line.replace(/\(.*?\): error (TS\d+):.*/, ' $1'))
        .sort(),
    ).toEqual(files.map((file) => `src/generated/probes/${file}.ts TS2339`));
  });
}
