/** Imported before all else: the file that does so runs on the embedded database, whatever the others run on. */
import { afterAll } from 'vitest';

const others = process.env.TEST_DATABASE;
process.env.TEST_DATABASE = 'pglite';
afterAll(() => {
  process.env.TEST_DATABASE = others;
});
