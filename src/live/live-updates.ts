/** Brings what the database announces to the open subscriptions of this process. */
import type { Logger } from 'pino';
import type { Db, StopListening } from '../db/handles.ts';
import { AppError } from '../errors.ts';
import type { liveTopics } from '../generated/domains/vocabulary.ts';
import { createInterruption, type LivePacing, LiveSubscription } from './live-subscription.ts';

export interface LiveTopic {
  kind: (typeof liveTopics)[number];
  businessId: string;
  /** One record; absent: all of the business. */
  record?: string | undefined;
}

/** Who watches, for the limits. */
export interface LiveSubscriber {
  userId: string;
  address: string;
}

export interface LiveUpdates {
  /** Every change that is committed after this has resolved will be told. `gone` ends it, like `return`. */
  subscribe(topic: LiveTopic, watcher: LiveSubscriber, gone?: AbortSignal): Promise<LiveSubscription>;
  /** How many watch, and whether the database is being listened to. */
  readonly state: { watching: number; listening: boolean };
  /** Ends every subscription so that its client connects elsewhere, and takes no new one. */
  stop(): void;
  close(): Promise<void>;
}

export interface LiveOptions extends LivePacing {
  perUser: number;
  /** Guest accounts are free, so addresses are limited too; more generously, since a whole office may share one. */
  perAddress: number;
  perProcess: number;
  /** How long to listen on after the last one has left. */
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
  const watches = new Map<string, Set<LiveSubscription>>();
  const open = createTally();
  let listening: Promise<StopListening> | undefined;
  let lingering: NodeJS.Timeout | undefined;
  let stopped = false;

  const everyWatch = () => [...watches.values()].flatMap((set) => [...set]);

  const listener = {
    onNotification(payload: string) {
      const [kind = '', businessId = '', record = '', part = ''] = payload.split(' ');
      for (const key of [`${kind} ${businessId}`, `${kind} ${businessId} ${record}`])
        for (const watch of watches.get(key) ?? []) watch.recordChange(record, part);
    },
    onReconnect() {
      for (const watch of everyWatch()) watch.markMissed();
    },
  };

  async function listen(): Promise<void> {
    clearTimeout(lingering);
    listening ??= db.listen(listener);
    const attempt = listening;
    try {
      await attempt;
      lingerIfAlone();
    } catch (error) {
      if (listening === attempt) listening = undefined;
      log.warn({ err: error }, 'cannot listen to the database');
      throw unavailable('Live updates are not available at the moment, try again shortly.');
    }
  }

  function lingerIfAlone(): void {
    if (watches.size > 0) return;
    clearTimeout(lingering);
    lingering = setTimeout(hush, options.lingerMs).unref();
  }

  async function hush(): Promise<void> {
    const ending = listening;
    listening = undefined;
    await ending?.then((end) => end()).catch((err: unknown) => log.warn({ err }, 'cannot stop listening'));
  }

  function enter(topic: LiveTopic, watcher: LiveSubscriber): LiveSubscription {
    const key = keyOf(topic);
    const tallies = [`user ${watcher.userId}`, `address ${watcher.address}`, 'process'] as const;
    const [user, address, process] = tallies;
    if (open.of(process) >= options.perProcess) throw unavailable('Too many subscriptions are open here.');
    if (open.of(user) >= options.perUser) throw tooMany(options.perUser, 'account');
    if (open.of(address) >= options.perAddress) throw tooMany(options.perAddress, 'address');
    const watch = new LiveSubscription(options, topic.record !== undefined, () => {
      for (const tally of tallies) open.add(tally, -1);
      const others = watches.get(key);
      others?.delete(watch);
      if (others?.size === 0) watches.delete(key);
      lingerIfAlone();
    });
    for (const tally of tallies) open.add(tally, 1);
    watches.set(key, (watches.get(key) ?? new Set()).add(watch));
    return watch;
  }

  function stop(): void {
    stopped = true;
    for (const watch of everyWatch()) watch.end(createInterruption('The gateway is stopping.'));
    clearTimeout(lingering);
  }

  return {
    async subscribe(topic, watcher, gone) {
      if (stopped) throw unavailable('The gateway is stopping, connect again.');
      const watch = enter(topic, watcher);
      gone?.addEventListener('abort', () => watch.end(), { once: true });
      if (gone?.aborted) watch.end();
      try {
        await listen();
      } catch (error) {
        watch.end();
        throw error;
      }
      return watch;
    },
    get state() {
      return { watching: open.of('process'), listening: listening !== undefined };
    },
    stop,
    async close() {
      stop();
      await hush();
    },
  };
}

/** The beginning of an announcement; ids may come in upper case, and the database has them in lower. */
const keyOf = ({ kind, businessId, record }: LiveTopic) =>
  [kind, businessId, ...(record === undefined ? [] : [record])].join(' ').toLowerCase();

/** Counts by name; what comes back to zero is forgotten. */
function createTally() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, by: 1 | -1) {
      const count = of(name) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}

const unavailable = (message: string) =>
  new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': '1' } });

const tooMany = (limit: number, whose: string) =>
  new AppError('RATE_LIMITED', `At most ${limit} subscriptions may be open at a time from one ${whose}.`);
