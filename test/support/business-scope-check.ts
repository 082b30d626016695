/** Holds every statement of the suite against the plan for several servers: what touches a table of the shop says whose shop. */

import { afterAll, expect } from 'vitest';

/** The tables that docs/scaling.md spreads over servers by business. */
export const distributedTables = [
  ...['products', 'variants', 'stock_movements', 'product_listings', 'product_prices', 'product_attributes'],
  ...['product_stock', 'product_old_slugs', 'media_uses', 'orders', 'order_numbers', 'carts', 'changes'],
];

const named = new RegExp(
  `\\b(from|join|update|into|using|,)\\s+(only\\s+)?(${distributedTables.join('|')})\\b(?!\\.)(?:\\s+(?:as\\s+)?(?!set\\b|where\\b|on\\b|using\\b|order\\b|group\\b|limit\\b|join\\b|left\\b|cross\\b|values\\b|returning\\b|for\\b|union\\b|select\\b)([a-z_]\\w*))?`,
  'gi',
);

/** Of what no business bounds; docs/scaling.md says which. */
const everywhere = [
  // Somebody's own, in all shops.
  /customer_id = (\$1|any\()|customer_id >= \$1 and o\.customer_id <= \$1/,
  /with recursive leaps/,
  // Known by its id alone: of nodes, payments, and what leads back from paying.
  /where \w+\.id = any\(\$[12]::uuid\[\]\) and \(/,
  /from orders o where o\.id = \$1( for update)?$/,
  /from orders where id = \$1$/,
  // What jobs and the auditor go through.
  /where (\w)\.id > \$1 order by \1\.id limit/,
  /^update orders set claimed_until/,
  /from orders where status = 'PENDING' .* order by expires_at/,
  /c\.abandoned_at is null and c\.updated_at < \$1/,
  /media_uses u where u\.media_id = /,
  // Sweeps.
  /^delete from \w+ where ctid = any\(array\(/,
];

const seen = new Set<string>();
const strays: string[] = [];

/** What tests ask themselves does not count, nor what Prisma makes: the app asks for none of these tables through it. */
export function recordStatement(text: string): void {
  if (seen.has(text) || text.includes('"public"')) return;
  seen.add(text);
  const plain = text.replace(/\s+/g, ' ').trim();
  if (unscopedTables(text).length === 0 || everywhere.some((one) => one.test(plain)) || isOfTest()) return;
  strays.push(plain);
}

function isOfTest(): boolean {
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  const asker = frames.find(
    (frame) => !/node_modules|\/src\/(db|lib)\/|support\/(business-scope-check|app)\.ts|node:/.test(frame),
  );
  return asker?.includes('/test/') ?? false;
}

afterAll(() => expect(strays, 'statements that do not say whose shop they are about').toEqual([]));

/** The tables in a statement that are touched without a word on whose they are. */
export function unscopedTables(statement: string): string[] {
  const text = statement.replaceAll('"public".', '').replaceAll('"', '').replace(/\s+/g, ' ');
  const stray = new Set<string>();
  for (const [, verb = '', , table = '', alias = table] of text.matchAll(named)) {
    if (verb.toLowerCase() === 'into') {
      if (!new RegExp(`into ${table}( as \\w+)? ?\\([^)]*business_id`, 'i').test(text)) stray.add(table);
    } else if (!saysWhose(text, alias, alias === table)) stray.add(table);
  }
  return [...stray];
}

function saysWhose(text: string, alias: string, isBare: boolean): boolean {
  const column = `${isBare ? `(?<![\\w.])(?:${alias}\\.)?` : `\\b${alias}\\.`}business_id\\b`;
  const says = (pattern: string) => new RegExp(pattern, 'i').test(text);
  const bound = (sign: string) => says(`${column} ${sign}= |\\(${column}, [\\w.]+\\) ${sign} `);
  // Pages bind it from both sides: see `inOrder` in src/db/pages/owned-page.ts.
  return says(`${column} (=|in\\b)|= ${column}`) || (bound('<') && bound('>'));
}
