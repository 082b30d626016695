/** PERF: random bytes from a pool, because a call to the system takes longer than everything else. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let offset = pool.length;

/** Cryptographically secure. The bytes are valid until the next call, which may fill the pool again. */
export function takeRandomBytes(count: number): Buffer {
  if (offset + count > pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += count;
  return pool.subarray(offset - count, offset);
}
