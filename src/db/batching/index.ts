/** Entry of batching per tick, the only file of this folder that the rest of `src` imports. `Db.batching` switches it off. */
export { BatchedInserts } from './batched-inserts.ts';
export { loadPageAfterKeyBatched } from './load-page-after-key-batched.ts';
export { createBatcher, readOncePerTick } from './tick-batching.ts';
