/** Ids sort by time of creation. */
import { afterEach, expect, it, vi } from 'vitest';
import { isId, newId } from '../../src/lib/ids.ts';

it('generates ascending UUIDv7 with the current time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);
  expect(ids.every((id) => isId(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).toBe(true);
  expect(new Set(ids.map((id) => id.slice(-11))).size).toBeGreaterThan(19_990);
  const millisecond = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
  expect(millisecond - before).toBeGreaterThanOrEqual(0);
  expect(millisecond - before).toBeLessThan(1000);
});

afterEach(() => {
  vi.useRealTimers();
});

it('keeps ascending when the clock steps back by 9 s, and follows the clock beyond 10 s', () => {
  const present = Date.now();
  const at = (time: number) => {
    vi.setSystemTime(time);
    return newId();
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  const first = at(present + 3_600_000);
  const second = at(present + 3_600_000 - 9_000);
  const third = at(present);
  expect(second > first).toBe(true);
  expect(Number.parseInt(third.replace('-', '').slice(0, 12), 16)).toBe(present);
});
