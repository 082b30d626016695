/** Compiles documents with the Relay compiler. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConcreteRequest, ReaderFragment } from 'relay-runtime';
import { run, scratchFolder, succeed, tool } from '../../examples/commands.ts';

export interface CompiledShop {
  shopQuery: ConcreteRequest;
  shop_products: ReaderFragment;
  shop_orders: ReaderFragment;
}

/** All names begin with `shop`, the name of the file: the Relay compiler requires this. */
export async function compileRelayDocuments(documents: string): Promise<CompiledShop> {
  const folder = scratchFolder();
  const src = join(folder, 'src');
  mkdirSync(src);
  writeFileSync(join(src, 'shop.js'), `graphql\`${documents}\`;\n`);
  writeFileSync(join(src, 'package.json'), '{"type": "module"}');
  const config = {
    src,
    schema: resolve('schema/schema.graphql'),
    language: 'javascript',
    eagerEsModules: true,
  };
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
  await succeed(run(folder, tool(folder, 'relay-compiler'), ['relay.config.json']));
  const artifacts = join(src, '__generated__');
  const entries = readdirSync(artifacts).map(async (file) => {
    const { default: compiled } = (await import(join(artifacts, file))) as { default: unknown };
    return [file.replace('.graphql.js', ''), compiled];
  });
  return Object.fromEntries(await Promise.all(entries)) as CompiledShop;
}
