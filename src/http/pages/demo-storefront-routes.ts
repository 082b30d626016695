/** The storefront example at `/demo`, on the demo data. `npm run build` writes it to dist/demo. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../lib/package-info.ts';
import type { HttpRoute } from '../http-route-types.ts';
import { createCspHeaders, createPageRoute, createStaticFilePage } from './http-page.ts';

const folder = join(packageRoot, 'dist', 'demo');

const files = [
  ['shop.js', 'text/javascript; charset=utf-8'],
  ['style.css', 'text/css; charset=utf-8'],
  ['pages.css', 'text/css; charset=utf-8'],
  ['purchase.css', 'text/css; charset=utf-8'],
] as const;

/** The shop sends its own documents, which a gateway with trusted documents would reject. */
export const isDemoStorefrontBuilt = ({ seedDemo, trustedOnly }: Config): boolean =>
  seedDemo && !trustedOnly && existsSync(join(folder, 'index.html'));

/** Routes of the files, and of all other paths below /demo, which the script of the shop renders. */
export function createDemoStorefrontRoutes(config: Config): HttpRoute[] {
  if (!isDemoStorefrontBuilt(config)) return [];
  const read = (name: string) => () => readFileSync(join(folder, name));
  const page = createStaticFilePage('text/html; charset=utf-8', read('index.html'), {
    headers: createCspHeaders({ 'img-src': '* data:' }),
  });
  return [
    ...files.map(([name, type]) => createPageRoute(`/demo/${name}`, createStaticFilePage(type, read(name)))),
    createPageRoute('/demo', page),
    createPageRoute('/demo/', page),
  ];
}
