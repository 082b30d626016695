/** Status histories: append-only entries, stamps, transitions, and hidden actors. */
import { describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/auth/viewer-and-authentication.ts';
import {
  currentStatus,
  orderTransitions,
  paymentTransitions,
  transitionStatus,
  transitionStatusIfAllowed,
} from '../../src/domains/orders/status-transitions.ts';
import type { StatusHistoryEntry } from '../../src/domains/shared/media-and-status-history-types.ts';
import {
  appendStatusChanges,
  buildSystemStatusHistoryEntry,
  createStatusHistoryEntryBuilder,
  hideStatusActors,
  nonStaffStatusHistoryViews,
  toStatusChanges,
} from '../../src/domains/shared/status-history.ts';
import { history, outcome, statusesOf } from './setup.ts';

const viewer = (userId: string | undefined, isApiKey = false) =>
  ({ user: userId && { userId }, isApiKey }) as unknown as Viewer;
const any = expect.any(Number);
const inputChange = { status: 'PAID', changedBy: 'SYSTEM', userId: 'from-input', timestamp: 5 } as const;

describe('a status history entry', () => {
  it.each([
    [
      'of an API key that sends author and time',
      viewer('key', true),
      inputChange,
      { changedBy: 'SYSTEM', userId: 'from-input', timestamp: 5 },
    ],
    [
      'of an API key that sends only the status',
      viewer('key', true),
      { status: 'PAID' },
      { changedBy: 'USER', userId: 'key', timestamp: any },
    ],
    [
      'of a user ignores the sent author and time',
      viewer('ada'),
      inputChange,
      { changedBy: 'USER', userId: 'ada', timestamp: any },
    ],
    [
      'of an anonymous viewer',
      viewer(undefined),
      inputChange,
      { changedBy: 'SYSTEM', userId: undefined, timestamp: any },
    ],
  ] as const)('%s', (_name, who, change, expected) => {
    const entry = createStatusHistoryEntryBuilder(who)(change);
    expect(entry).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'PAID', ...expected });
    if (who.user && !who.isApiKey) expect(entry.timestamp).toBeGreaterThan(5);
    expect(createStatusHistoryEntryBuilder(who)({ ...change, id: 'mine' }).id).toBe('mine');
  });

  it('of the system', () => {
    expect(buildSystemStatusHistoryEntry({ id: 'x', status: 'PAID' })).toEqual({
      id: 'x',
      status: 'PAID',
      changedBy: 'SYSTEM',
      timestamp: any,
    });
    expect(buildSystemStatusHistoryEntry({ status: 'PAID' }).id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a status history', () => {
  const before = history('PENDING', 'PAID');
  const add = (...changes: { id?: string; status: string }[]) =>
    statusesOf(appendStatusChanges<string>(before, changes, buildSystemStatusHistoryEntry));
  it('skips entries with a known id and repeated statuses', () => {
    expect(add()).toEqual(['PENDING', 'PAID']);
    expect(add({ status: 'PAID' })).toEqual(['PENDING', 'PAID']);
    expect(add({ status: 'REFUNDED' })).toEqual(['PENDING', 'PAID', 'REFUNDED']);
    expect(add({ id: '0', status: 'REFUNDED' })).toEqual(['PENDING', 'PAID']);
    expect(add({ id: 'n', status: 'A' }, { id: 'n', status: 'B' })).toEqual(['PENDING', 'PAID', 'A']);
    expect(add({ status: 'A' }, { status: 'A' }, { status: 'B' })).toEqual(['PENDING', 'PAID', 'A', 'B']);
    expect(statusesOf(appendStatusChanges([], [{ status: 'A' }], buildSystemStatusHistoryEntry))).toEqual([
      'A',
    ]);
    expect(before.length).toBe(2);
  });

  it('gets the sent `statuses` first, then the single `status`', () => {
    expect(toStatusChanges({})).toEqual([]);
    expect(toStatusChanges({ status: 'A' })).toEqual([{ status: 'A' }]);
    expect(toStatusChanges({ status: 'A', statuses: [{ status: 'B' }] })).toEqual([
      { status: 'B' },
      { status: 'A' },
    ]);
  });

  it('allows exactly the specified transitions', () => {
    expect(orderTransitions).toEqual({
      PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
      PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
      SHIPPED: ['DELIVERED', 'REFUNDED'],
      DELIVERED: ['REFUNDED'],
      CANCELLED: [],
      REFUNDED: [],
    });
    expect(paymentTransitions).toEqual({
      PENDING: ['PAID', 'FAILED'],
      FAILED: ['PENDING', 'PAID'],
      PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
      PARTIALLY_REFUNDED: ['REFUNDED'],
      REFUNDED: [],
    });
  });

  it('accepts its current status again, and rejects an invalid transition', () => {
    const shipped = history('PENDING', 'PROCESSING', 'SHIPPED');
    const move = (...changes: ('SHIPPED' | 'CANCELLED')[]) =>
      transitionStatus(
        shipped,
        changes.map((status) => ({ status })),
        orderTransitions,
        buildSystemStatusHistoryEntry,
        'status',
      );
    expect(move('SHIPPED')).toEqual(shipped);
    expect(() => move('CANCELLED')).toThrow();
  });

  it('validates several changes in sequence', () => {
    const moved = (...statuses: ('PROCESSING' | 'SHIPPED' | 'CANCELLED' | 'REFUNDED' | 'PENDING')[]) =>
      outcome(() =>
        statusesOf(
          transitionStatus(
            history('PENDING'),
            statuses.map((status) => ({ status })),
            orderTransitions,
            buildSystemStatusHistoryEntry,
            'at',
          ),
        ),
      );
    expect(moved('PROCESSING', 'SHIPPED', 'REFUNDED')).toEqual([
      'PENDING',
      'PROCESSING',
      'SHIPPED',
      'REFUNDED',
    ]);
    expect(moved('SHIPPED', 'CANCELLED')).toEqual([
      'at INVALID_TRANSITION SHIPPED cannot become CANCELLED. Allowed: DELIVERED, REFUNDED.',
    ]);
    expect(moved('CANCELLED', 'PENDING')).toEqual([
      'at INVALID_TRANSITION CANCELLED cannot become PENDING. Allowed: none, this status is final.',
    ]);
    expect(
      statusesOf(
        transitionStatus([], [{ status: 'SHIPPED' }], orderTransitions, buildSystemStatusHistoryEntry, 'at'),
      ),
    ).toEqual(['SHIPPED']);
  });

  it('ignores an invalid transition in transitionIfAllowed', () => {
    const tried = (from: 'PAID' | 'REFUNDED', to: 'REFUNDED' | 'PENDING') =>
      statusesOf(
        transitionStatusIfAllowed(history(from), to, paymentTransitions, buildSystemStatusHistoryEntry),
      );
    expect([tried('PAID', 'REFUNDED'), tried('PAID', 'PENDING'), tried('REFUNDED', 'REFUNDED')]).toEqual([
      ['PAID', 'REFUNDED'],
      ['PAID'],
      ['REFUNDED'],
    ]);
    expect(() => currentStatus([])).toThrow('A status history must not be empty.');
  });
});

describe('the author of a status change', () => {
  const entry = (userId?: string): StatusHistoryEntry => ({
    id: 'e',
    status: 'A',
    changedBy: 'USER',
    userId,
    timestamp: 1,
  });
  it('is visible only to the author', () => {
    const staff = [entry('ada'), entry('bob'), entry()];
    expect(hideStatusActors(staff, 'ada')).toEqual([entry('ada'), entry(), entry()]);
    expect(hideStatusActors(staff, null).map(({ userId }) => userId)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const own = [entry('ada'), entry()];
    expect(hideStatusActors(own, 'ada')).toBe(own);
    const none = [entry()];
    expect(hideStatusActors(none, null)).toBe(none);
  });

  it('is hidden in the public view, which is the same object when there is nothing to hide', () => {
    const record = { name: 'x', statuses: [entry('ada')] };
    expect(nonStaffStatusHistoryViews.publicView(record, 'ada')).toBe(record);
    expect(nonStaffStatusHistoryViews.publicView(record, null)).toEqual({ name: 'x', statuses: [entry()] });
    const both = { statuses: [entry('bob'), entry('ada')] };
    expect([
      nonStaffStatusHistoryViews.hasPersonalView(both, 'ada'),
      nonStaffStatusHistoryViews.hasPersonalView(both, 'eve'),
    ]).toEqual([true, false]);
  });
});
