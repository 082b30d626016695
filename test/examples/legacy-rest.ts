/** Tests of examples/legacy-rest: compiled and run by REST, then rewritten by `duet-migrate` and run by GraphQL, without an edit. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTimeout, compile, folderOf, link, run, succeed, tool } from './commands.ts';

const example = resolve('examples/legacy-rest');
const codemod = resolve('packages/migrate/dist/cli.js');

/** Forwards to the gateway and records method and path of every request. */
async function startRecorder(gateway: () => string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    );
    const forwarded = await fetch(`${gateway()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const type = forwarded.headers.get('content-type') ?? 'application/json';
    response.writeHead(forwarded.status, { 'content-type': type }).end(await forwarded.text());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Copy of a project whose packages are linked, as `npm install` does. */
function copyProject(folder: string, source: string): void {
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  linkPackages(folder);
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  for (const name of ['@duet-gateway/client-rest', '@duet-gateway/client-graphql'] as const)
    link(folder, name);
}

export function describeLegacyRest(scratch: string, gateway: () => string): void {
  describe('legacy-rest', () => {
    let recorder: { url: string; requests: string[] };
    beforeAll(async () => {
      link(example, '@duet-gateway/client-rest');
      link(example, '@duet-gateway/client-graphql');
      recorder = await startRecorder(gateway);
    });

    /** Compiles and runs the example, and returns the requests that it sent. */
    async function runAll(folder: string): Promise<string[]> {
      recorder.requests.length = 0;
      await succeed(run(folder, tool(folder, 'tsc'), []));
      const env = { DUET_URL: recorder.url };
      const output = await succeed(run(folder, tool(folder, 'tsx'), ['src/main.ts'], env));
      expect(output).toMatch(/^5 products, and more\n- \w.*\d\.\d\d [A-Z]{3}\n/);
      expect(output).toMatch(/There is no such promo code\nOne of them costs \d+\.\d\d USD, delivered\n/);
      expect(output).toMatch(/\nPay at http\S+\/sandbox\/pay\/\S+\n$/);
      const tests = await succeed(run(folder, tool(folder, 'tsx'), ['--test', 'test/programs.test.ts'], env));
      expect(tests).toContain('pass 5');
      return [...recorder.requests];
    }

    it(
      'compiles and runs by REST',
      async () => {
        const requests = await runAll(example);
        expect(requests.length).toBeGreaterThan(20);
        expect(requests.filter((request) => !request.includes(' /v1/'))).toEqual([]);
      },
      commandTimeout,
    );

    it(
      'compiles and runs by GraphQL after the codemod, without an edit; a second run leaves it, and inexact calls, as they are',
      async () => {
        const folder = join(scratch, 'migrated');
        copyProject(folder, example);
        const report = await succeed(run(folder, process.execPath, [codemod, folder]));
        expect(report).toContain('18 calls rewritten, 0 left, 0 type errors.');
        const requests = await runAll(folder);
        expect(requests.length).toBeGreaterThan(20);
        expect(requests.filter((request) => request !== 'POST /graphql')).toEqual([]);
        // A second run leaves the result as it is, and calls whose rewrite would not be exact, with the reasons.
        const source = readFileSync('test/examples/left-calls.txt', 'utf8');
        writeFileSync(join(folder, 'src', 'left.ts'), source);
        const again = await succeed(
          run(folder, process.execPath, [codemod, folder, '--report', 'report.md']),
        );
        const reasons = [...again.matchAll(/^- `src\/left\.ts:(\d+)` `.*`: (.*)$/gm)];
        const expected = source
          .split('\n')
          .flatMap((line, index) =>
            line.includes(' // left: ') ? [[index + 1, line.split(' // left: ')[1]]] : [],
          );
        expect(reasons.map(([, line, reason]) => [Number(line), reason])).toEqual(expected);
        expect(again).toContain(`0 calls rewritten, ${expected.length} left, 0 type errors.`);
        expect(readFileSync(join(folder, 'src', 'left.ts'), 'utf8')).toBe(source);
        expect(readFileSync(join(folder, 'report.md'), 'utf8').trim()).toBe(again.trim());
      },
      commandTimeout,
    );

    const probe = (name: string, field: string) => `
const page = await createClient({ url: '' }).api.${name}({ path: { businessId: '' } });
console.log(page.items[0]?.${field});
`;
    const head = `import { createClient } from '${join(folderOf('@duet-gateway/client-rest'), 'src')}/index.ts';\n`;

    it(
      'fails to compile with a field or an operation that does not exist',
      async () => {
        const invalid = await compile(
          scratch,
          example,
          `${head}{${probe('ListProducts', 'name')}}{${probe('ListProducts', 'nam')}}{${probe('ListProduct', 'name')}}`,
        );
        expect(invalid.code).not.toBe(0);
        expect(invalid.output.match(/Property '\w+' does not exist/g)).toEqual([
          "Property 'nam' does not exist",
          "Property 'ListProduct' does not exist",
        ]);
      },
      commandTimeout,
    );
  });
}
