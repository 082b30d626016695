import { expect, it } from 'vitest';
import { testDb } from '../support/database.ts';

const statements: string[] = [];
const t0 = performance.now();
const db = await testDb({ onStatement: (text) => statements.push(text) });
console.log(process.env.TEST_DATABASE, 'opened in', performance.now() - t0);

it('reads', async () => {
  expect(await db.sql('SELECT 1::int8 AS n, $1::jsonb AS j', [JSON.stringify({ a: 1 })])).toEqual([
    { n: 1, j: { a: 1 } },
  ]);
  expect(await db.prisma.business.count()).toBe(0);
  console.log(statements);
});
