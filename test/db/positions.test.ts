/** Positions in the log of a primary, and up to which moment a server that has come so far knows everything. */
import { describe, expect, it } from 'vitest';
import { createMilestones, parsePosition } from '../../src/db/positions.ts';

describe('a position', () => {
  it.each([
    ['0/0', 0n],
    ['0/1A', 26n],
    ['1/0', 1n << 32n],
    ['ffffffff/FFFFFFFF', (1n << 64n) - 1n],
  ])('%s is %s', (text, position) => {
    expect(parsePosition(text)).toBe(position);
  });
  it.each(['', '0', '/', '0/', '1/G', '0/123456789', ' 0/0', '-1/0', '0/0/0', null, undefined])(
    '%s is none',
    (text) => {
      expect(parsePosition(text)).toBeUndefined();
    },
  );
});

describe('milestones', () => {
  const at = (position: bigint, timeline = 1) => ({ position, timeline });

  it('say the latest moment up to which a server has everything', () => {
    const milestones = createMilestones(10);
    expect(milestones.hasAllUntil(at(100n))).toBeUndefined();
    milestones.passed(1, at(10n));
    milestones.passed(2, at(20n));
    milestones.passed(3, at(20n));
    expect([9n, 10n, 19n, 20n, 99n].map((position) => milestones.hasAllUntil(at(position)))).toEqual([
      undefined,
      1,
      1,
      3,
      3,
    ]);
  });

  it('forget the oldest, and all of a branch that was left', () => {
    const milestones = createMilestones(2);
    for (const moment of [1, 2, 3]) milestones.passed(moment, at(BigInt(moment)));
    expect(milestones.hasAllUntil(at(1n))).toBeUndefined();
    expect(milestones.hasAllUntil(at(2n))).toBe(2);
    expect(milestones.hasAllUntil(at(9n, 2))).toBeUndefined();
    milestones.passed(4, at(3n, 2));
    expect([milestones.hasAllUntil(at(9n, 1)), milestones.hasAllUntil(at(9n, 2))]).toEqual([undefined, 4]);
  });
});
