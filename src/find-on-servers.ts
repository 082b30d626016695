/** Several database servers: records that are addressed without their business, and contexts on each server. */
import { type Context, createContext, type Services } from './context.ts';
import type { Db } from './db/handles.ts';
import { memoizePerRequest } from './lib/cache/per-request-loader.ts';

/**
 * Result of `find` on the server that has one, for records that are addressed without their business. Fails if no server has one and
 * one of them did not respond.
 */
export async function findOnServers<Result>(
  services: Services,
  find: (services: Services) => Promise<Result | undefined>,
): Promise<{ services: Services; result: Result } | undefined> {
  const servers = services.servers?.all ?? [services];
  const results = await Promise.allSettled(servers.map(find));
  for (const [index, result] of results.entries())
    if (result.status === 'fulfilled' && result.value !== undefined)
      return { services: servers[index] ?? services, result: result.value };
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return undefined;
}

/** Services of the server for which `has` resolves to true; without one, and with one server, `services`. */
export async function findServicesOfRecord(
  services: Services,
  has: (db: Db) => Promise<boolean>,
): Promise<Services> {
  if (!services.servers) return services;
  const found = await findOnServers(services, async ({ db }) => (await has(db)) || undefined);
  return found?.services ?? services;
}

/** Contexts of the same request on each server, with the home server first, for operations on records of several businesses. */
export const contextsOfServers = memoizePerRequest(
  (ctx: Context): readonly Context[] =>
    ctx.servers?.all.map((services) => {
      const db = services.db.withContext(ctx.db.queryContext);
      return createContext(db, services, ctx.request, ctx.viewer.onServer(db));
    }) ?? [ctx],
);
