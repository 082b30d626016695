/** The history checker reports impossible histories and accepts every possible one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CounterChange,
  counterHistoryErrors,
  type HistoryEvent,
  recordHistoryErrors,
} from '../support/history-checker.ts';

const start = { value: 'start', version: 1 };

type Time = readonly [began: number, ended: number];
const read = (client: string, [began, ended]: Time, version: number, value: string): HistoryEvent => ({
  ...{ client, key: 'k', kind: 'read', began, ended, version, value },
});
const wrote = (
  client: string,
  [began, ended]: Time,
  version: number,
  value: string,
  on?: number,
): HistoryEvent => ({
  ...{ client, key: 'k', kind: 'write', outcome: 'ok', began, ended, version, value },
  ...(on === undefined ? {} : { baseVersion: on }),
});
const tried = (
  client: string,
  [began, ended]: Time,
  outcome: 'failed' | 'unknown',
  value: string,
): HistoryEvent => ({ client, key: 'k', kind: 'write', outcome, began, ended, value });

const histories: [string, HistoryEvent[], string[]][] = [
  ['nothing happened', [], []],
  ['read after an acknowledged write', [wrote('a', [1, 2], 2, 'x'), read('b', [3, 4], 2, 'x')], []],
  ['concurrent read sees the old version', [wrote('a', [1, 5], 2, 'x'), read('b', [2, 3], 1, 'start')], []],
  ['concurrent read sees the new version', [wrote('a', [1, 5], 2, 'x'), read('b', [2, 3], 2, 'x')], []],
  ['unknown outcome, executed', [tried('a', [1, 2], 'unknown', 'x'), read('b', [3, 4], 2, 'x')], []],
  ['unknown outcome, not executed', [tried('a', [1, 2], 'unknown', 'x'), read('b', [3, 4], 1, 'start')], []],
  ['unknown outcome, executed later', [tried('a', [1, 2], 'unknown', 'x'), wrote('b', [3, 4], 3, 'y')], []],
  [
    'the restore guard skips versions after a promotion',
    [
      wrote('a', [1, 2], 2, 'x'),
      tried('b', [3, 4], 'unknown', 'y'),
      wrote('a', [5, 6], 200_000, 'z', 2),
      wrote('b', [7, 8], 200_001, 'w', 200_000),
      read('b', [9, 10], 200_001, 'w'),
    ],
    [],
  ],
  [
    'a version that was lost in a promotion is the base of another',
    [wrote('a', [1, 2], 2, 'x'), wrote('b', [3, 4], 3, 'y'), wrote('a', [5, 6], 200_000, 'z', 2)],
    ['a changed version 2, and made 4 of it'],
  ],
  ['rejected write', [tried('a', [1, 2], 'failed', 'x'), read('b', [3, 4], 1, 'start')], []],
  [
    'a rejected value is read',
    [tried('a', [1, 2], 'failed', 'x'), tried('c', [1, 2], 'unknown', 'y'), read('b', [3, 4], 2, 'x')],
    ['b read x, which was refused'],
  ],
  [
    'a value that no client wrote is read',
    [tried('a', [1, 2], 'unknown', 'x'), read('b', [3, 4], 2, 'z')],
    ['b read z, which nobody wrote'],
  ],
  [
    'an acknowledged write is not visible',
    [wrote('a', [1, 2], 2, 'x'), read('b', [3, 4], 1, 'start'), read('b', [5, 6], 2, 'x')],
    ['b read version 1 after a knew 2'],
  ],
  [
    'a read returns an older version than an earlier read',
    [tried('a', [1, 9], 'unknown', 'x'), read('b', [2, 3], 2, 'x'), read('c', [4, 5], 1, 'start')],
    ['c read version 1 after b knew 2'],
  ],
  [
    'an acknowledged write is lost',
    [wrote('a', [1, 2], 2, 'x'), read('b', [3, 4], 1, 'start')],
    ['b read version 1 after a knew 2', 'the last version is 1, and not from 2 to 2'],
  ],
  [
    'two writes with the same version',
    [wrote('a', [1, 4], 2, 'x'), wrote('b', [1, 4], 2, 'y')],
    ['version 2 was made by a and by b', 'version 2 is x, and y for b'],
  ],
  [
    'a write with the initial version',
    [wrote('a', [1, 2], 1, 'x')],
    ['version 1 was made by the start and by a', 'version 1 is start, and x for a'],
  ],
  [
    'a version condition was ignored',
    [wrote('a', [1, 9], 2, 'x'), wrote('b', [1, 9], 3, 'y', 1)],
    ['b changed version 1, and made 3 of it'],
  ],
  [
    'one version with two values',
    [wrote('a', [1, 9], 2, 'x'), wrote('b', [1, 9], 3, 'y'), read('c', [2, 9], 3, 'x')],
    ['version 3 is y, and x for c'],
  ],
  [
    'unknown outcome, executed twice',
    [tried('a', [1, 2], 'unknown', 'x'), read('b', [3, 4], 2, 'x'), read('b', [5, 6], 3, 'x')],
    ['x was made twice, as version 2 and as 3', 'the last version is 3, and not from 1 to 2'],
  ],
  [
    'a value is read before it was written',
    [read('b', [1, 2], 2, 'x'), tried('a', [3, 4], 'unknown', 'x')],
    ['b read x before it was written'],
  ],
  [
    'a write with an older version',
    [wrote('a', [1, 2], 3, 'x'), tried('c', [1, 2], 'unknown', 'z'), wrote('b', [3, 4], 2, 'y')],
    ['b made version 2 after a knew 3'],
  ],
  [
    'more versions than writes',
    [wrote('a', [1, 2], 2, 'x'), tried('c', [1, 2], 'unknown', 'y'), read('b', [3, 4], 4, 'y')],
    ['the last version is 4, and not from 2 to 3'],
  ],
];

it.each(histories)('%s', (_name, events, faults) => {
  expect(recordHistoryErrors(start, events)).toEqual(faults);
});

it('accepts every sequential history', () => {
  const step = fc.record({ isRead: fc.boolean(), before: fc.nat(5), after: fc.nat(5), isLost: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let at = start;
      const events = steps.map(({ isRead, before, after, isLost }, index): HistoryEvent => {
        const [client, time] = [`c${index}`, [index * 2 - before, index * 2 + after]] as const;
        if (isRead) return read(client, time, at.version, at.value);
        at = { version: at.version + 1, value: client };
        return isLost ? tried(client, time, 'unknown', client) : wrote(client, time, at.version, client);
      });
      expect(recordHistoryErrors(start, events)).toEqual([]);
    }),
  );
});

describe('counters', () => {
  const counts: [number, number, CounterChange[], string[]][] = [
    [10, 10, [], []],
    [10, 12, [{ change: 2, outcome: 'ok' }], []],
    [10, 10, [{ change: 2, outcome: 'ok' }], ['10 is left, and not 12']],
    [10, 14, [{ change: 2, outcome: 'ok' }], ['14 is left, and not 12']],
    [10, 10, [{ change: -2, outcome: 'failed' }], []],
    [10, 8, [{ change: -2, outcome: 'failed' }], ['8 is left, and not 10']],
    [10, 8, [{ change: -2, outcome: 'unknown' }], []],
    [10, 10, [{ change: -2, outcome: 'unknown' }], []],
    [10, 6, [{ change: -2, outcome: 'unknown' }], ['6 is left, and not 8, 10']],
    [
      10,
      9,
      [
        { change: -3, outcome: 'unknown' },
        { change: 5, outcome: 'unknown' },
      ],
      ['9 is left, and not 7, 10, 12, 15'],
    ],
  ];
  it.each(counts)('%d became %d', (from, end, changes, faults) => {
    expect(counterHistoryErrors(from, end, changes)).toEqual(faults);
  });
});
