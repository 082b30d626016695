/** Imported before all else: the file that does so runs on the embedded database, whatever the others run on. */
import { afterAll, expect } from 'vitest';

const others = process.env.TEST_DATABASE;
process.env.TEST_DATABASE = 'pglite';
afterAll(async () => {
  process.env.TEST_DATABASE = others;
  const { onPostgres } = await import('./database.ts');
  expect(onPostgres, 'another import came first').toBe(false);
});
