/** `npm run bench:finding`: among 100,000 products no filter and no sort order takes more than 5 times as long as the plain page. */

import { loadGatewayKeys } from '../src/auth/gateway-keys.ts';
import { createJwtService } from '../src/auth/sign-and-verify-tokens.ts';
import { migrate } from '../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../src/db/open-db.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedGeneratedCatalogue } from '../src/seed/generated-catalogue.ts';
import { demoShopIdsAndLogins } from '../src/seed/shop-data.ts';
import { median } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';

const total = 100_000;
const maxRatio = 5;

/** Queries with the limit `maxRatio`. */
const limitedQueries = [
  'sort=OLDEST',
  'sort=NAME',
  'sort=PRICE&market=US',
  'sort=PRICE_DESC&market=US',
  'sort=STOCK_DESC',
  'market=US&minPrice=2000&maxPrice=6000',
  'market=US&minPrice=5000&maxPrice=5010',
  'market=US&minPrice=5000&maxPrice=5010&sort=NAME',
  'inStock=true',
  'inStock=false',
  'inStock=false&sort=PRICE&market=US',
  'categoryIds=cups',
  'categoryIds=cups&sort=NAME',
  'attributes=size:small',
  'attributes=batch:7',
  'attributes=batch:7&sort=PRICE&market=US',
  'createdFrom=1735700000&createdTo=1735700100',
  'updatedFrom=1735700000',
  'status=ACTIVE&sort=NAME',
];
/** Queries that are reported without a limit: a search reads the whole result. */
const reportedQueries = [
  'query=sampel',
  'query=77777',
  'query=77777&sort=RELEVANCE',
  'query=catalogue',
  'query=catalogue&sort=RELEVANCE',
];

const postgres = await startPostgres();
const db = await openDb({ url: postgres.url });
await migrate(db);
await seedDemo(db);
await seedGeneratedCatalogue(db, demoShopIdsAndLogins.businessId, total, (done) =>
  process.stdout.write(`\rseeding ${done}/${total}`),
);
// One in a thousand products has the attribute batch:7, and as many (batch:8) are out of stock.
await db.script(`insert into product_attributes (business_id, name, value, product_id)
  select business_id, 'batch', (row_number() over (order by product_id) % 1000)::text, product_id from product_listings;
  update product_stock s set stock = 0 from product_attributes a where a.product_id = s.product_id and a.name = 'batch' and a.value = '8'`);
await db.script('vacuum analyze');
const keys = await loadGatewayKeys(db, undefined);
const { token } = await createJwtService(keys).issueAccess({
  sub: demoShopIdsAndLogins.adminId,
  provider: 'EMAIL',
});
await db.close();

const duet = await startServer(
  duetProgram,
  { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn', SEED_DEMO: 'off', RATE_LIMIT: 'off' },
  'Duet',
);
let exceeded = 0;
try {
  const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=20`;
  const headers = { authorization: `Bearer ${token}` };
  /** Milliseconds per page, of sequential requests: the 10th percentile, which depends little on other load of the machine. */
  const cost = async (query: string, ms: number) => {
    const times: number[] = [];
    for (const end = performance.now() + ms; performance.now() < end || times.length < 5; ) {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${duet.port}${path}&${query}`, { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${query}`);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 10)] ?? 0;
  };
  await cost('', 1000);
  console.log('');
  for (const query of [...limitedQueries, ...reportedQueries]) {
    await cost(query, 300);
    const ratios: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const plain = await cost('', 400);
      times.push(await cost(query, 400));
      ratios.push((times.at(-1) ?? 0) / plain);
    }
    const isLimited = limitedQueries.includes(query);
    if (isLimited && median(ratios) > maxRatio) exceeded += 1;
    console.log(
      `${median(times).toFixed(2).padStart(8)} ms ${median(ratios).toFixed(1).padStart(6)} times the plain page${isLimited ? '' : ' (no limit)'}  ${query}`,
    );
  }
} finally {
  await duet.stop();
  await postgres.stop();
}
console.log(exceeded === 0 ? `all within ${maxRatio} times` : `${exceeded} above ${maxRatio} times`);
process.exitCode = exceeded === 0 ? 0 : 1;
