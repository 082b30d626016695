/** Client code that `/migrate` prints, for every example request of the contract: compiled against the GraphQL client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatClientCode } from '../../src/rest/translation/format-client-code.ts';
import { translateRequest } from '../../src/rest/translation/translate-request.ts';
import { contractExamples } from '../support/contract-examples.ts';
import { commandTimeout, link, run, succeed, tool } from './commands.ts';

const decodeHtml = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** TypeScript that the page shows for a pasted request. */
async function codeOnPage(gateway: string, request: string): Promise<string> {
  const body = new URLSearchParams({ request });
  const html = await (await fetch(`${gateway}/migrate`, { method: 'POST', body })).text();
  return decodeHtml(/<code id="client-0">(.*?)<\/code>/s.exec(html)?.[1] ?? '');
}

export function describePrintedCode(scratch: string, gateway: () => string): void {
  describe('client code of /migrate', () => {
    it(
      'compiles for every example of the contract',
      async () => {
        const folder = join(scratch, 'printed');
        mkdirSync(join(folder, 'node_modules'), { recursive: true });
        link(folder, '@duet-gateway/client-graphql');
        const compilerOptions = {
          target: 'ES2023',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          module: 'ESNext',
          moduleResolution: 'Bundler',
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: true,
          noEmit: true,
          types: ['node'],
          typeRoots: [resolve('node_modules/@types')],
        };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
        let count = 0;
        for (const { name, method, path, body = {}, as } of contractExamples) {
          const headers: Record<string, string> = as === 'guest' ? {} : { authorization: 'Bearer x' };
          const translated = translateRequest({ method, path, headers, body });
          if (!translated) continue;
          writeFileSync(join(folder, `${name}.ts`), formatClientCode(translated));
          count += 1;
        }
        expect(count).toBe(contractExamples.length);
        await succeed(run(folder, tool(folder, 'tsc'), []));
      },
      commandTimeout,
    );

    it(
      'replaces a small client with the page alone',
      async () => {
        const folder = join(scratch, 'small');
        mkdirSync(join(folder, 'node_modules'), { recursive: true });
        link(folder, '@duet-gateway/client-graphql');
        const login = await fetch(`${gateway()}/v1/users/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"provider":"GUEST"}',
        });
        const { accessToken } = (await login.json()) as { accessToken: string };
        const path =
          '/v1/businesses/01900000-0000-7000-8000-00000000000b/products?limit=2&sort=PRICE&market=US';
        const headers = { authorization: `Bearer ${accessToken}` };
        const page = await (await fetch(`${gateway()}${path}`, { headers })).json();
        const { items } = page as { items: { id: string; name: string }[] };
        const runCode = async (name: string, request: string) => {
          writeFileSync(join(folder, name), await codeOnPage(gateway(), request));
          const env = { DUET_URL: gateway(), TOKEN: accessToken };
          return succeed(run(folder, tool(folder, 'tsx'), [name], env));
        };
        const token = '-H "Authorization: Bearer $TOKEN"';
        const list = await runCode('list.mts', `curl "$DUET_URL"'${path}' ${token}`);
        for (const { name } of items) expect(list).toContain(name);
        const [first] = items;
        const one = await runCode(
          'get.mts',
          `curl '${gateway()}${path.split('?')[0]}/${first?.id}?fields=name' ${token}`,
        );
        expect(one).toContain(`{ name: '${first?.name}' }`);
      },
      commandTimeout,
    );
  });
}
