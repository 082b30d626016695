/** Positions in the log of a primary, and up to which moment a server that has come so far knows everything. */
import { describe, expect, it } from 'vitest';
import { createLsnHistory, parseLsn } from '../../src/db/replication/lsn.ts';

describe('a position', () => {
  it.each([
    ['0/0', 0n],
    ['0/1A', 26n],
    ['1/0', 1n << 32n],
    ['ffffffff/FFFFFFFF', (1n << 64n) - 1n],
  ])('%s is %s', (text, position) => {
    expect(parseLsn(text)).toBe(position);
  });
  it.each(['', '0', '/', '0/', '1/G', '0/123456789', ' 0/0', '-1/0', '0/0/0', null, undefined])(
    '%s is none',
    (text) => {
      expect(parseLsn(text)).toBeUndefined();
    },
  );
});

describe('milestones', () => {
  const at = (position: bigint, timeline = 1) => ({ position, timeline });

  it('say the latest moment up to which a server has everything', () => {
    const milestones = createLsnHistory(10);
    expect(milestones.completeUntil(at(100n))).toBeUndefined();
    milestones.record(1, at(10n));
    milestones.record(2, at(20n));
    milestones.record(3, at(20n));
    expect([9n, 10n, 19n, 20n, 99n].map((position) => milestones.completeUntil(at(position)))).toEqual([
      undefined,
      1,
      1,
      3,
      3,
    ]);
  });

  it('forget the oldest, and all of a branch that was left', () => {
    const milestones = createLsnHistory(2);
    for (const moment of [1, 2, 3]) milestones.record(moment, at(BigInt(moment)));
    expect(milestones.completeUntil(at(1n))).toBeUndefined();
    expect(milestones.completeUntil(at(2n))).toBe(2);
    expect(milestones.completeUntil(at(9n, 2))).toBeUndefined();
    milestones.record(4, at(3n, 2));
    expect([milestones.completeUntil(at(9n, 1)), milestones.completeUntil(at(9n, 2))]).toEqual([
      undefined,
      4,
    ]);
  });
});
