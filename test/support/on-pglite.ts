/** Runs the importing test file on the embedded database (PGlite). Must be its first import. */
import { afterAll, expect } from 'vitest';

const previous = process.env.TEST_DATABASE;
process.env.TEST_DATABASE = 'pglite';
afterAll(async () => {
  process.env.TEST_DATABASE = previous;
  const { onPostgres } = await import('./database.ts');
  expect(onPostgres, 'on-pglite.ts must be the first import').toBe(false);
});
