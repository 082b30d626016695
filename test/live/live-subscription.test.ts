/** LiveSubscription and createLiveUpdates with a fake database. */
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NotificationListener } from '../../src/db/handles.ts';
import type { LiveSubscription } from '../../src/live/live-subscription.ts';
import { createLiveUpdates, defaultLiveOptions, type LiveOptions } from '../../src/live/live-updates.ts';

const log = pino({ level: 'silent' });

afterEach(() => {
  vi.useRealTimers();
});

function createHub(options: Partial<LiveOptions> = {}) {
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
    notify: (...parts: string[]) => {
      for (const listener of listeners) listener.onNotification(parts.join(' '));
    },
    reconnect: () => {
      for (const listener of listeners) listener.onReconnect();
    },
  };
}

const subscriber = { userId: 'u1', address: '192.0.2.1' };
const orders = { kind: 'order', businessId: 'b1' } as const;
const order = { ...orders, record: 'o1' } as const;

/** Next event of a subscription as plain values. */
async function nextEvent(subscription: LiveSubscription) {
  const { done, value } = await subscription.next();
  if (done) return 'end';
  return { all: value.all, changed: [...value.changed].map(([record, parts]) => [record, ...parts]) };
}

describe('a subscription', () => {
  it('to a business receives changes of its records only', async () => {
    const { live, notify } = createHub();
    const subscription = await live.subscribe(orders, subscriber);
    notify('order', 'b2', 'o1', 'o1');
    notify('stock', 'b1', 'p1', 'v1');
    notify('order', 'b1', 'o2', 'o2');
    expect(await nextEvent(subscription)).toEqual({ all: false, changed: [['o2', 'o2']] });
  });

  it('to one record starts with an event to read it and receives changes of this record only', async () => {
    const { live, notify } = createHub();
    const subscription = await live.subscribe({ kind: 'stock', businessId: 'B1', record: 'P1' }, subscriber);
    expect(await nextEvent(subscription)).toEqual({ all: true, changed: [] });
    notify('stock', 'b1', 'p2', 'v1');
    notify('stock', 'b1', 'p1', 'v2');
    expect(await nextEvent(subscription)).toEqual({ all: false, changed: [['p1', 'v2']] });
  });

  it('deduplicates changes between two events', async () => {
    const { live, notify } = createHub();
    const subscription = await live.subscribe({ kind: 'stock', businessId: 'b1' }, subscriber);
    for (let n = 0; n < 1000; n++) notify('stock', 'b1', `p${n % 2}`, `v${n % 4}`);
    expect(await nextEvent(subscription)).toEqual({
      all: false,
      changed: [
        ['p0', 'v0', 'v2'],
        ['p1', 'v1', 'v3'],
      ],
    });
  });

  it('combines changes within the minimum interval', async () => {
    const { live, notify } = createHub({ paceMs: 50 });
    const subscription = await live.subscribe(orders, subscriber);
    notify('order', 'b1', 'o1', 'o1');
    expect(await nextEvent(subscription)).toEqual({ all: false, changed: [['o1', 'o1']] });
    const second = nextEvent(subscription);
    notify('order', 'b1', 'o2', 'o2');
    setTimeout(() => notify('order', 'b1', 'o3', 'o3'), 10);
    expect(await second).toEqual({
      all: false,
      changed: [
        ['o2', 'o2'],
        ['o3', 'o3'],
      ],
    });
  });

  it('with too many pending changes reads one record again, and interrupts the stream of a business', async () => {
    const { live, notify, listeners } = createHub({ maxPendingChanges: 3 });
    const ofRecord = await live.subscribe({ kind: 'stock', businessId: 'b1', record: 'p1' }, subscriber);
    await nextEvent(ofRecord);
    const ofBusiness = await live.subscribe({ kind: 'stock', businessId: 'b1' }, subscriber);
    for (const variant of ['v1', 'v2', 'v3', 'v4', 'v5']) notify('stock', 'b1', 'p1', variant);
    expect(await nextEvent(ofRecord)).toEqual({ all: true, changed: [] });
    await expect(nextEvent(ofBusiness)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await nextEvent(ofBusiness)).toBe('end');
    expect(live.state.watching).toBe(1);
    expect(listeners.size).toBe(1);
  });

  it('does the same after missed notifications', async () => {
    const { live, reconnect } = createHub();
    const ofRecord = await live.subscribe(order, subscriber);
    await nextEvent(ofRecord);
    const ofBusiness = await live.subscribe(orders, subscriber);
    const pendingEvent = nextEvent(ofRecord);
    reconnect();
    expect(await pendingEvent).toEqual({ all: true, changed: [] });
    await expect(nextEvent(ofBusiness)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('emits periodic events without changes, so that the viewer is checked again', async () => {
    const { live } = createHub({ recheckMs: 20 });
    const subscription = await live.subscribe(orders, subscriber);
    expect(await nextEvent(subscription)).toEqual({ all: false, changed: [] });
    expect(await nextEvent(subscription)).toEqual({ all: false, changed: [] });
  });

  it('ends on return(), on abort while waiting, and on abort before the start', async () => {
    const { live } = createHub();
    const returned = await live.subscribe(orders, subscriber);
    const pendingEvent = nextEvent(returned);
    await returned.return();
    expect(await pendingEvent).toBe('end');
    const controller = new AbortController();
    const aborted = await live.subscribe(orders, subscriber, controller.signal);
    const abortedEvent = nextEvent(aborted);
    controller.abort();
    expect(await abortedEvent).toBe('end');
    expect(await nextEvent(await live.subscribe(orders, subscriber, controller.signal))).toBe('end');
    expect(live.state.watching).toBe(0);
  });
});

describe('live updates', () => {
  it('listen while subscriptions are open and for `lingerMs` after', async () => {
    vi.useFakeTimers();
    const { live, db, listeners } = createHub();
    expect([db.opened, live.state.listening]).toEqual([0, false]);
    const [first, second] = await Promise.all([
      live.subscribe(orders, subscriber),
      live.subscribe(order, subscriber),
    ]);
    expect([db.opened, listeners.size]).toEqual([1, 1]);
    first.end();
    second.end();
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs - 1);
    const third = await live.subscribe(orders, subscriber);
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs);
    expect([db.opened, listeners.size]).toEqual([1, 1]);
    third.end();
    await vi.advanceTimersByTimeAsync(defaultLiveOptions.lingerMs);
    expect([listeners.size, live.state]).toEqual([0, { watching: 0, listening: false }]);
    await live.subscribe(orders, subscriber);
    expect([db.opened, listeners.size]).toEqual([2, 1]);
  });

  it('reject subscriptions while listening fails, and retry', async () => {
    const { live, db } = createHub();
    db.fails = true;
    await expect(live.subscribe(orders, subscriber)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(live.state).toEqual({ watching: 0, listening: false });
    db.fails = false;
    await live.subscribe(orders, subscriber);
    expect(live.state).toEqual({ watching: 1, listening: true });
  });

  it.each([
    ['account', { perUser: 2 }, 'RATE_LIMITED', { ...subscriber, address: '192.0.2.9' }],
    ['address', { perAddress: 2 }, 'RATE_LIMITED', { ...subscriber, userId: 'u9' }],
    ['process', { perProcess: 2 }, 'UNAVAILABLE', { userId: 'u9', address: '192.0.2.9' }],
  ])('limit the subscriptions per %s', async (_scope, options, code, third) => {
    const { live } = createHub(options);
    const first = await live.subscribe(orders, subscriber);
    await live.subscribe(orders, subscriber);
    await expect(live.subscribe(orders, third)).rejects.toMatchObject({ code });
    expect(live.state.watching).toBe(2);
    first.end();
    first.end();
    await live.subscribe(orders, third);
    expect(live.state.watching).toBe(2);
  });

  it('interrupt all subscriptions on stop and reject new ones', async () => {
    const { live, listeners } = createHub();
    const pendingEvent = nextEvent(await live.subscribe(orders, subscriber));
    live.stop();
    await expect(pendingEvent).rejects.toMatchObject({ name: 'AbortError' });
    await expect(live.subscribe(orders, subscriber)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await live.close();
    expect([listeners.size, live.state]).toEqual([0, { watching: 0, listening: false }]);
  });
});
