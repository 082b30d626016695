/** Parsing of WAL positions, and the time up to which a server at a position has every commit. */
import { describe, expect, it } from 'vitest';
import { parseLsn } from '../../src/db/replication/lsn.ts';
import { createLsnHistory } from '../../src/db/replication/lsn-history.ts';

describe('parseLsn', () => {
  it.each([
    ['0/0', 0n],
    ['0/1A', 26n],
    ['1/0', 1n << 32n],
    ['ffffffff/FFFFFFFF', (1n << 64n) - 1n],
  ])('parses %s as %s', (text, position) => {
    expect(parseLsn(text)).toBe(position);
  });
  it.each(['', '0', '/', '0/', '1/G', '0/123456789', ' 0/0', '-1/0', '0/0/0', null, undefined])(
    'rejects %s',
    (text) => {
      expect(parseLsn(text)).toBeUndefined();
    },
  );
});

describe('LSN history', () => {
  const at = (position: bigint, timeline = 1) => ({ position, timeline });

  it('returns the latest time up to which a server has every commit', () => {
    const history = createLsnHistory(10);
    expect(history.completeUntil(at(100n))).toBeUndefined();
    history.record(1, at(10n));
    history.record(2, at(20n));
    history.record(3, at(20n));
    expect([9n, 10n, 19n, 20n, 99n].map((position) => history.completeUntil(at(position)))).toEqual([
      undefined,
      1,
      1,
      3,
      3,
    ]);
  });

  it('drops the oldest positions, and all of a previous timeline', () => {
    const history = createLsnHistory(2);
    for (const time of [1, 2, 3]) history.record(time, at(BigInt(time)));
    expect(history.completeUntil(at(1n))).toBeUndefined();
    expect(history.completeUntil(at(2n))).toBe(2);
    expect(history.completeUntil(at(9n, 2))).toBeUndefined();
    history.record(4, at(3n, 2));
    expect([history.completeUntil(at(9n, 1)), history.completeUntil(at(9n, 2))]).toEqual([undefined, 4]);
  });
});
