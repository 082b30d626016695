/** Runs the importing test file with its businesses on a second database server. Must be its first import. */
import { afterAll } from 'vitest';

process.env.TEST_SHARDS = 'on';
afterAll(() => {
  delete process.env.TEST_SHARDS;
});
