/** Distributes database notifications (LISTEN/NOTIFY) to the open GraphQL subscriptions of this process. */
import type { Logger } from 'pino';
import type { Db, StopListening } from '../db/handles.ts';
import { AppError } from '../errors.ts';
import type { liveTopics } from '../generated/domains/permissions-events-and-topics.ts';
import { createStreamInterruptedError, type LivePacing, LiveSubscription } from './live-subscription.ts';

export interface LiveTopic {
  kind: (typeof liveTopics)[number];
  businessId: string;
  /** Id of one record; undefined: all records of the business. */
  record?: string | undefined;
}

/** Identity of a subscriber, for the limits. */
interface LiveSubscriber {
  userId: string;
  address: string;
}

export interface LiveUpdates {
  /** Delivers every change that commits after the promise has resolved. Aborting `signal` ends the subscription, like `return()`. */
  subscribe(topic: LiveTopic, subscriber: LiveSubscriber, signal?: AbortSignal): Promise<LiveSubscription>;
  /** Number of open subscriptions, and whether the process listens to the database. */
  readonly state: { watching: number; listening: boolean };
  /** Ends the subscriptions of a business (undefined: all), so that their clients reconnect: the business is on another server. */
  interrupt(businessId: string | undefined): void;
  /** Ends every subscription so that its client reconnects to another process, and rejects new ones. */
  stop(): void;
  close(): Promise<void>;
}

export interface LiveOptions extends LivePacing {
  perUser: number;
  /** Maximum per IP address, since guest accounts are free. Higher than `perUser`, because an office may share one address. */
  perAddress: number;
  perProcess: number;
  /** Time to keep listening after the last subscription has ended. */
  lingerMs: number;
}

export const defaultLiveOptions: LiveOptions = {
  paceMs: 100,
  recheckMs: 60_000,
  maxPendingChanges: 1000,
  perUser: 100,
  perAddress: 1000,
  perProcess: 10_000,
  lingerMs: 30_000,
};

export function createLiveUpdates(
  db: Pick<Db, 'listen'>,
  log: Logger,
  options: LiveOptions = defaultLiveOptions,
): LiveUpdates {
  const subscriptionsByTopic = new Map<string, Set<LiveSubscription>>();
  const openCounts = createCounters();
  let listenPromise: Promise<StopListening> | undefined;
  let lingerTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  const allSubscriptions = () => [...subscriptionsByTopic.values()].flatMap((set) => [...set]);

  const listener = {
    onNotification(payload: string) {
      const [kind = '', businessId = '', record = '', part = ''] = payload.split(' ');
      for (const key of [`${kind} ${businessId}`, `${kind} ${businessId} ${record}`])
        for (const subscription of subscriptionsByTopic.get(key) ?? [])
          subscription.recordChange(record, part);
    },
    onReconnect() {
      for (const subscription of allSubscriptions()) subscription.markMissed();
    },
  };

  async function ensureListening(): Promise<void> {
    clearTimeout(lingerTimer);
    listenPromise ??= db.listen(listener);
    const attempt = listenPromise;
    try {
      await attempt;
      lingerIfIdle();
    } catch (error) {
      if (listenPromise === attempt) listenPromise = undefined;
      log.warn({ err: error }, 'cannot listen for database notifications');
      throw unavailableError('Live updates are temporarily unavailable. Try again shortly.');
    }
  }

  function lingerIfIdle(): void {
    if (subscriptionsByTopic.size > 0) return;
    clearTimeout(lingerTimer);
    lingerTimer = setTimeout(stopListening, options.lingerMs).unref();
  }

  async function stopListening(): Promise<void> {
    const stopping = listenPromise;
    listenPromise = undefined;
    await stopping
      ?.then((stopListener) => stopListener())
      .catch((err: unknown) => log.warn({ err }, 'cannot stop listening for database notifications'));
  }

  function openSubscription(topic: LiveTopic, subscriber: LiveSubscriber): LiveSubscription {
    const key = topicKey(topic);
    const counterNames = [`user ${subscriber.userId}`, `address ${subscriber.address}`, 'process'] as const;
    const [user, address, process] = counterNames;
    if (openCounts.get(process) >= options.perProcess)
      throw unavailableError('This process has too many open subscriptions. Try again shortly.');
    if (openCounts.get(user) >= options.perUser) throw tooManyError(options.perUser, 'account');
    if (openCounts.get(address) >= options.perAddress) throw tooManyError(options.perAddress, 'address');
    const subscription = new LiveSubscription(options, topic.record !== undefined, () => {
      for (const counterName of counterNames) openCounts.add(counterName, -1);
      const sameTopic = subscriptionsByTopic.get(key);
      sameTopic?.delete(subscription);
      if (sameTopic?.size === 0) subscriptionsByTopic.delete(key);
      lingerIfIdle();
    });
    for (const counterName of counterNames) openCounts.add(counterName, 1);
    subscriptionsByTopic.set(key, (subscriptionsByTopic.get(key) ?? new Set()).add(subscription));
    return subscription;
  }

  function interrupt(businessId: string | undefined): void {
    for (const [key, subscriptions] of subscriptionsByTopic)
      if (businessId === undefined || key.split(' ')[1] === businessId)
        for (const subscription of [...subscriptions])
          subscription.end(createStreamInterruptedError('The business was moved to another server.'));
  }

  function stop(): void {
    stopped = true;
    for (const subscription of allSubscriptions())
      subscription.end(createStreamInterruptedError('The gateway is shutting down.'));
    clearTimeout(lingerTimer);
  }

  return {
    async subscribe(topic, subscriber, signal) {
      if (stopped) throw unavailableError('The gateway is shutting down. Connect again.');
      const subscription = openSubscription(topic, subscriber);
      signal?.addEventListener('abort', () => subscription.end(), { once: true });
      if (signal?.aborted) subscription.end();
      try {
        await ensureListening();
      } catch (error) {
        subscription.end();
        throw error;
      }
      return subscription;
    },
    get state() {
      return { watching: openCounts.get('process'), listening: listenPromise !== undefined };
    },
    interrupt,
    stop,
    async close() {
      stop();
      await stopListening();
    },
  };
}

/** Prefix of the notification payload. Ids from clients may be in upper case; those in payloads are in lower case. */
const topicKey = ({ kind, businessId, record }: LiveTopic) =>
  [kind, businessId, ...(record === undefined ? [] : [record])].join(' ').toLowerCase();

/** Counters by name; a counter at zero is removed. */
function createCounters() {
  const counts = new Map<string, number>();
  const get = (name: string) => counts.get(name) ?? 0;
  return {
    get,
    add(name: string, by: 1 | -1) {
      const count = get(name) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}

const unavailableError = (message: string) =>
  new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': '1' } });

const tooManyError = (limit: number, scope: string) =>
  new AppError('RATE_LIMITED', `At most ${limit} subscriptions may be open at the same time per ${scope}.`);
