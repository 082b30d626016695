/**
 * Checks that each SQL statement of the suite on a distributed table filters by `business_id`, which docs/explanation/scaling.md requires for
 * several database servers.
 */

import { afterAll, expect } from 'vitest';

/** Tables that docs/explanation/scaling.md distributes over servers by business. */
export const distributedTables = [
  ...['products', 'variants', 'stock_movements', 'product_listings', 'product_prices', 'product_attributes'],
  ...['product_stock', 'product_old_slugs', 'media_uses', 'orders', 'order_numbers', 'carts', 'changes'],
];

const tableReference = new RegExp(
  `\\b(from|join|update|into|using|,)\\s+(only\\s+)?(${distributedTables.join('|')})\\b(?!\\.)(?:\\s+(?:as\\s+)?(?!set\\b|where\\b|on\\b|using\\b|order\\b|group\\b|limit\\b|join\\b|left\\b|cross\\b|values\\b|returning\\b|for\\b|union\\b|select\\b)([a-z_]\\w*))?`,
  'gi',
);

/** Statements that have no single business; docs/explanation/scaling.md lists them. */
const exemptStatements = [
  // Records of one customer, or of one contact address, in all businesses.
  /o\.contact_email = (\$1|any\()/,
  /customer_id = (\$1|any\()|customer_id >= \$1 and (o\.customer_id <= \$1|\(o\.customer_id, o\.id\) <)/,
  /with recursive leaps/,
  // Records found by id alone: `nodes`, payments, and the return from the payment page.
  /where \w+\.id = any\(\$[12]::uuid\[\]\) and \(/,
  /from orders o where o\.id = \$1( for update)?$/,
  /from orders where id = \$1$/,
  // Background jobs and the audit.
  /where (\w)\.id > \$1 order by \1\.id limit/,
  /^update orders set claimed_until/,
  /from orders where status = 'PENDING' .* order by expires_at/,
  /c\.abandoned_at is null and c\.updated_at < \$1/,
  /media_uses u where u\.media_id = /,
  // Retention job.
  /^delete from \w+ where ctid = any\(array\(/,
];

const seen = new Set<string>();
const unscopedStatements: string[] = [];

/** Ignores statements of the tests themselves and of Prisma: the app never queries these tables through Prisma. */
export function recordStatement(text: string): void {
  if (seen.has(text) || text.includes('"public"')) return;
  seen.add(text);
  const normalized = text.replace(/\s+/g, ' ').trim();
  if (
    unscopedTables(text).length === 0 ||
    exemptStatements.some((pattern) => pattern.test(normalized)) ||
    isIssuedByTest()
  )
    return;
  unscopedStatements.push(normalized);
}

function isIssuedByTest(): boolean {
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  const caller = frames.find(
    (frame) => !/node_modules|\/src\/(db|lib)\/|support\/(business-scope-check|app)\.ts|node:/.test(frame),
  );
  return caller?.includes('/test/') ?? false;
}

afterAll(() =>
  expect(unscopedStatements, 'statements on distributed tables without business_id').toEqual([]),
);

/** Distributed tables in a statement that are not filtered by `business_id`. */
export function unscopedTables(statement: string): string[] {
  const text = statement.replaceAll('"public".', '').replaceAll('"', '').replace(/\s+/g, ' ');
  const unscoped = new Set<string>();
  for (const [, verb = '', , table = '', alias = table] of text.matchAll(tableReference)) {
    if (verb.toLowerCase() === 'into') {
      if (!new RegExp(`into ${table}( as \\w+)? ?\\([^)]*business_id`, 'i').test(text)) unscoped.add(table);
    } else if (!isScoped(text, alias, alias === table)) unscoped.add(table);
  }
  return [...unscoped];
}

function isScoped(text: string, alias: string, isUnaliased: boolean): boolean {
  const column = `${isUnaliased ? `(?<![\\w.])(?:${alias}\\.)?` : `\\b${alias}\\.`}business_id\\b`;
  const matches = (pattern: string) => new RegExp(pattern, 'i').test(text);
  const isBounded = (operator: string) =>
    matches(`${column} ${operator}= |\\(${column}, [\\w.]+\\) ${operator} `);
  // Keyset pages bound it from both sides, see src/db/pages/owned-page.ts.
  return matches(`${column} (=|in\\b)|= ${column}`) || (isBounded('<') && isBounded('>'));
}
