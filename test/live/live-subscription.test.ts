/** One subscription and the hub of all of them, with a database that says what the test wants. */
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NotificationListener } from '../../src/db/handles.ts';
import type { LiveSubscription } from '../../src/live/live-subscription.ts';
import { createLiveUpdates, defaultLiveOptions, type LiveOptions } from '../../src/live/live-updates.ts';

const log = pino({ level: 'silent' });

afterEach(() => {
  vi.useRealTimers();
});

function hub(options: Partial<LiveOptions> = {}) {
  const listeners = new Set<NotificationListener>();
  const db = {
    opened: 0,
    fails: false,
    async listen(listener: NotificationListener) {
      if (db.fails) throw new Error('no connection');
      db.opened += 1;
      listeners.add(listener);
      return async () => {
        listeners.delete(listener);
      };
    },
  };
  const live = createLiveUpdates(db, log, { ...defaultLiveOptions, paceMs: 0, ...options });
  return {
    live,
    db,
    listeners,
    say: (...words: string[]) => {
      for (const listener of listeners) listener.onNotification(words.join(' '));
    },
    miss: () => {
      for (const listener of listeners) listener.onReconnect();
    },
  };
}

const somebody = { userId: 'u1', address: '192.0.2.1' };
const orders = { kind: 'order', businessId: 'b1' } as const;
const order = { ...orders, record: 'o1' } as const;

/** What a watch says next, in plain words. */
async function look(watch: LiveSubscription) {
  const { done, value } = await watch.next();
  if (done) return 'end';
  return { all: value.all, changed: [...value.changed].map(([record, parts]) => [record, ...parts]) };
}

describe('a watch', () => {
  it('of a business hears of its records and of nobody else’s', async () => {
    const { live, say } = hub();
    const watch = await live.subscribe(orders, somebody);
    say('order', 'b2', 'o1', 'o1');
    say('stock', 'b1', 'p1', 'v1');
    say('order', 'b1', 'o2', 'o2');
    expect(await look(watch)).toEqual({ all: false, changed: [['o2', 'o2']] });
  });

  it('of one record begins with reading it and hears of that one alone', async () => {
    const { live, say } = hub();
    const watch = await live.subscribe({ kind: 'stock', businessId: 'B1', record: 'P1' }, somebody);
    expect(await look(watch)).toEqual({ all: true, changed: [] });
    say('stock', 'b1', 'p2', 'v1');
    say('stock', 'b1', 'p1', 'v2');
    expect(await look(watch)).toEqual({ all: false, changed: [['p1', 'v2']] });
  });

  it('tells once what changed many times while nobody looked', async () => {
    const { live, say } = hub();
    const watch = await live.subscribe({ kind: 'stock', businessId: 'b1' }, somebody);
    for (let n = 0; n < 1000; n++) say('stock', 'b1', `p${n % 2}`, `v${n % 4}`);
    expect(await look(watch)).toEqual({
      all: false,
      changed: [
        ['p0', 'v0', 'v2'],
        ['p1', 'v1', 'v3'],
      ],
    });
  });

  it('gathers what comes too fast', async () => {
    const { live, say } = hub({ paceMs: 50 });
    const watch = await live.subscribe(orders, somebody);
    say('order', 'b1', 'o1', 'o1');
    expect(await look(watch)).toEqual({ all: false, changed: [['o1', 'o1']] });
    const second = look(watch);
    say('order', 'b1', 'o2', 'o2');
    setTimeout(() => say('order', 'b1', 'o3', 'o3'), 10);
    expect(await second).toEqual({
      all: false,
      changed: [
        ['o2', 'o2'],
        ['o3', 'o3'],
      ],
    });
  });

  it('holds no more than it may: one record is read anew, a business has to be watched anew', async () => {
    const { live, say, listeners } = hub({ maxPendingChanges: 3 });
    const one = await live.subscribe({ kind: 'stock', businessId: 'b1', record: 'p1' }, somebody);
    await look(one);
    const all = await live.subscribe({ kind: 'stock', businessId: 'b1' }, somebody);
    for (const variant of ['v1', 'v2', 'v3', 'v4', 'v5']) say('stock', 'b1', 'p1', variant);
    expect(await look(one)).toEqual({ all: true, changed: [] });
    await expect(look(all)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await look(all)).toBe('end');
    expect(live.state.watching).toBe(1);
    expect(listeners.size).toBe(1);
  });

  it('does the same after announcements were missed', async () => {
    const { live, miss } = hub();
    const one = await live.subscribe(order, somebody);
    await look(one);
    const all = await live.subscribe(orders, somebody);
    const waiting = look(one);
    miss();
    expect(await waiting).toEqual({ all: true, changed: [] });
    await expect(look(all)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('looks up from time to time, so that its viewer is asked again', async () => {
    const { live } = hub({ recheckMs: 20 });
    const watch = await live.subscribe(orders, somebody);
    expect(await look(watch)).toEqual({ all: false, changed: [] });
    expect(await look(watch)).toEqual({ all: false, changed: [] });
  });

  it('ends while it waits, when it is told to, when its client has gone, or before it began', async () => {
    const { live } = hub();
    const told = await live.subscribe(orders, somebody);
    const waiting = look(told);
    await told.return();
    expect(await waiting).toBe('end');
    const gone = new AbortController();
    const left = await live.subscribe(orders, somebody, gone.signal);
    const leaving = look(left);
    gone.abort();
    expect(await leaving).toBe('end');
    expect(await look(await live.subscribe(orders, somebody, gone.signal))).toBe('end');
    expect(live.state.watching).toBe(0);
  });
});

describe('the hub', () => {
  it('listens when somebody watches, and for a while after', async () => {
    vi.useFakeTimers();
    const { live, db, listeners } = hub();
    expect([db.opened, live.state.listening]).toEqual([0, false]);
    const [first, second] = await Promise.all([
      live.subscribe(orders, somebody),
      live.subscribe(order, somebody),
    ]);
    expect([db.opened, listeners.size]).toEqual([1, 1]);
    first.end();
    second.end();
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs - 1);
    const third = await live.subscribe(orders, somebody);
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs);
    expect([db.opened, listeners.size]).toEqual([1, 1]);
    third.end();
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs);
    expect([listeners.size, live.state]).toEqual([0, { watching: 0, listening: false }]);
    await live.subscribe(orders, somebody);
    expect([db.opened, listeners.size]).toEqual([2, 1]);
  });

  it('says no while the database cannot be heard, and tries again', async () => {
    const { live, db } = hub();
    db.fails = true;
    await expect(live.subscribe(orders, somebody)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(live.state).toEqual({ watching: 0, listening: false });
    db.fails = false;
    await live.subscribe(orders, somebody);
    expect(live.state).toEqual({ watching: 1, listening: true });
  });

  it.each([
    ['account', { perUser: 2 }, 'RATE_LIMITED', { ...somebody, address: '192.0.2.9' }],
    ['address', { perAddress: 2 }, 'RATE_LIMITED', { ...somebody, userId: 'u9' }],
    ['process', { perProcess: 2 }, 'UNAVAILABLE', { userId: 'u9', address: '192.0.2.9' }],
  ])('bounds what one %s may open', async (_whose, options, code, third) => {
    const { live } = hub(options);
    const first = await live.subscribe(orders, somebody);
    await live.subscribe(orders, somebody);
    await expect(live.subscribe(orders, third)).rejects.toMatchObject({ code });
    expect(live.state.watching).toBe(2);
    first.end();
    first.end();
    await live.subscribe(orders, third);
    expect(live.state.watching).toBe(2);
  });

  it('interrupts everybody when it stops, and takes nobody after', async () => {
    const { live, listeners } = hub();
    const waiting = look(await live.subscribe(orders, somebody));
    live.stop();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(live.subscribe(orders, somebody)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await live.close();
    expect([listeners.size, live.state]).toEqual([0, { watching: 0, listening: false }]);
  });
});
