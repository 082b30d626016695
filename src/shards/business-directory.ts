/** Directory of businesses on the home server: which database server has which business, cached in every process. */
import type { Db, QueryHandle } from '../db/handles.ts';
import type { BusinessPlacement } from '../generated/prisma/client.ts';
import { createNamedLru } from '../lib/cache/named-lru.ts';
import { isId, nilUuid } from '../lib/ids.ts';
import { now } from '../lib/time.ts';
import type { Logger } from '../log.ts';
import { homeServerName } from '../shard-variables.ts';

export interface BusinessDirectory {
  /**
   * Name of the server that has the business; the home server for unknown ids. Cached answers are returned while the home server is
   * unavailable, and may be outdated until a lost connection is replaced: the write fence of the old server rejects writes meanwhile.
   */
  findServer(businessId: string): Promise<string>;
  /** Removes a business from the cache, after its server rejected a write with its fence. */
  forget(businessId: string): void;
  close(): Promise<void>;
}

/** Sufficient for the businesses that one process serves within minutes. */
const maxCachedBusinesses = 100_000;

/**
 * The directory notifies the channel `duet_placements` of every changed business in the transaction of the change. `onMoved` receives its
 * id; undefined: notifications may have been lost.
 */
export async function openBusinessDirectory(
  home: Db,
  log: Logger,
  onMoved: (businessId: string | undefined) => void = () => {},
): Promise<BusinessDirectory> {
  const serverById = createNamedLru<string>('placements', maxCachedBusinesses);
  const readsById = new Map<string, Promise<string>>();
  /** Incremented by every notification: a read that began earlier may have read the state before the change. */
  let generation = 0;

  function forget(businessId: string): void {
    generation += 1;
    serverById.delete(businessId);
    readsById.delete(businessId);
  }

  function forgetAll(): void {
    generation += 1;
    serverById.clear();
    readsById.clear();
    log.warn('the connection to the directory of businesses was replaced: its cache is cleared');
    onMoved(undefined);
  }

  async function read(businessId: string): Promise<string> {
    const startedAt = generation;
    const server = (await findServers(home, [businessId])).get(businessId) ?? homeServerName;
    if (startedAt === generation) serverById.set(businessId, server);
    return server;
  }

  function onNotification(businessId: string): void {
    forget(businessId);
    onMoved(businessId);
  }

  const stop = await home.listen({ onNotification, onReconnect: forgetAll }, 'duet_placements');
  return {
    forget,
    close: stop,
    async findServer(id) {
      const businessId = id.toLowerCase();
      if (!isId(businessId)) return homeServerName;
      const cached = serverById.get(businessId);
      if (cached !== undefined) return cached;
      const pending = readsById.get(businessId) ?? read(businessId);
      readsById.set(businessId, pending);
      try {
        return await pending;
      } finally {
        if (readsById.get(businessId) === pending) readsById.delete(businessId);
      }
    },
  };
}

/** Servers by business. Businesses without an entry live on the home server. */
export async function findServers(
  { prisma }: QueryHandle,
  businessIds: readonly string[],
): Promise<Map<string, string>> {
  const placements = await prisma.businessPlacement.findMany({
    where: { businessId: { in: [...businessIds] } },
    select: { businessId: true, shard: true },
  });
  return new Map(placements.map(({ businessId, shard }) => [businessId, shard]));
}

type BusinessShard = Pick<BusinessPlacement, 'businessId' | 'shard'>;

/** All entries of the directory, in batches of at most 1000. */
export async function* streamBusinessPlacements({ prisma }: QueryHandle): AsyncGenerator<BusinessShard[]> {
  for (let last = nilUuid; ; ) {
    const placements = await prisma.businessPlacement.findMany({
      where: { businessId: { gt: last } },
      orderBy: { businessId: 'asc' },
      take: 1000,
      select: { businessId: true, shard: true },
    });
    if (placements.length > 0) yield placements;
    if (placements.length < 1000) return;
    last = placements.at(-1)?.businessId ?? last;
  }
}

/** Assigns a new business to a server, before the business is created there. Throws if the business has a server already. */
export async function assignServerToNewBusiness(
  { prisma }: QueryHandle,
  businessId: string,
  server: string,
): Promise<void> {
  await prisma.businessPlacement.create({ data: { businessId, shard: server, updatedAt: now() } });
}

/** Undoes `assignServerToNewBusiness`, if the business was not created. */
export async function removeNewBusiness({ prisma }: QueryHandle, businessId: string): Promise<void> {
  await prisma.businessPlacement.deleteMany({ where: { businessId } });
}

interface WeightedServer {
  readonly name: string;
  /** Share of new businesses, relative to the other servers. */
  readonly weight: number;
}

/** Server for a new business. `fraction` is a random number from 0 up to, but not including, 1. */
export function chooseWeightedServerForNewBusiness(
  servers: readonly WeightedServer[],
  fraction = Math.random(),
): string {
  const total = servers.reduce((sum, { weight }) => sum + weight, 0);
  let rest = fraction * total;
  for (const { name, weight } of servers) {
    if (rest < weight) return name;
    rest -= weight;
  }
  return homeServerName;
}
