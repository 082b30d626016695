/** Builds the storefront example into dist/demo, which the gateway serves at `/demo` with the demo data. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';
import { demoShopIdsAndLogins } from '../src/seed/shop-data.ts';
import { runProgram } from './run-program.ts';

const example = join(packageRoot, 'examples', 'storefront-graphql');
const target = join(packageRoot, 'dist', 'demo');

/** Values of the page. Without a gateway the shop calls its own origin. */
const settings: Record<string, string> = {
  gateway: '',
  base: '/demo',
  business: demoShopIdsAndLogins.businessId,
  documents: 'free',
};

async function bundleScript(): Promise<void> {
  const build = await rolldown({
    input: { shop: join(example, 'src', 'main.ts') },
    resolve: {
      alias: {
        '@duet-gateway/client-graphql': join(packageRoot, 'packages', 'client-graphql', 'src', 'index.ts'),
      },
    },
    logLevel: 'warn',
  });
  await build.write({ dir: target, format: 'esm', entryFileNames: '[name].js', minify: true });
  await build.close();
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
// Paths in the configuration are relative to the working directory.
process.chdir(example);
await runProgram('graphql-codegen', '--silent');
await bundleScript();
for (const name of ['style.css', 'pages.css', 'purchase.css'])
  cpSync(join(example, 'page', name), join(target, name));
const page = readFileSync(join(example, 'page', 'index.html'), 'utf8');
writeFileSync(
  join(target, 'index.html'),
  page.replace(/\{(\w+)\}/g, (_, name: string) => settings[name] ?? ''),
);
