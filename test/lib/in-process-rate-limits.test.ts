/** In-memory rate limits: windows, released points, and eviction of keys. */
import { expect, it } from 'vitest';
import { createMemoryRateLimiter } from '../../src/adapters/limits/in-process-rate-limits.ts';

const rule = { name: 'tries', points: 2, seconds: 10 };

it('counts within a window and starts over after it', async () => {
  let time = 0;
  const limits = createMemoryRateLimiter(() => time);
  const take = () => limits.consume(rule, 'a');
  expect(await take()).toEqual({ limit: 2, remaining: 1, reset: 10, exceeded: false });
  time = 4_500;
  expect(await take()).toEqual({ limit: 2, remaining: 0, reset: 6, exceeded: false });
  expect(await take()).toEqual({ limit: 2, remaining: 0, reset: 6, exceeded: true });
  expect(await limits.consume(rule, 'b')).toMatchObject({ remaining: 1 });
  await limits.release(rule, 'b');
  expect(await limits.consume(rule, 'b')).toMatchObject({ remaining: 1 });
  time = 10_000;
  expect(await take()).toEqual({ limit: 2, remaining: 1, reset: 10, exceeded: false });
});

it('evicts the oldest keys of a rule only', async () => {
  const limits = createMemoryRateLimiter(() => 0, 100);
  const other = { ...rule, name: 'others' };
  await limits.consume(rule, 'other rule');
  await limits.consume(other, 'evicted');
  for (let key = 0; key < 100; key += 1) await limits.consume(other, `key ${key}`);
  expect(await limits.consume(rule, 'other rule')).toMatchObject({ remaining: 0 });
  expect(await limits.consume(other, 'evicted')).toMatchObject({ remaining: 1 });
});
