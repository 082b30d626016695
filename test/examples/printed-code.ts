/** Client code that `/migrate` prints, for every example request of the contract: compiled against the GraphQL client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printClientCode } from '../../src/rest/translation/client-code.ts';
import { translateRequest } from '../../src/rest/translation/translate-request.ts';
import { contractExamples } from '../support/contract-examples.ts';
import { commandTimeout, link, run, succeed, tool } from './commands.ts';

export function describePrintedCode(scratch: string): void {
  describe('client code of /migrate', () => {
    it(
      'compiles for every example of the contract',
      async () => {
        const folder = join(scratch, 'printed');
        mkdirSync(join(folder, 'node_modules'), { recursive: true });
        link(folder, 'duet-client-graphql');
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
          writeFileSync(join(folder, `${name}.ts`), printClientCode(translated));
          count += 1;
        }
        expect(count).toBe(contractExamples.length);
        await succeed(run(folder, tool(folder, 'tsc'), []));
      },
      commandTimeout,
    );
  });
}
