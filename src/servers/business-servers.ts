/** Several database servers: the services of each, and the choice of the server of an operation or of a new business. */
import { hash } from 'node:crypto';
import {
  type BusinessServers,
  type Context,
  createContext,
  type RootFieldCall,
  type Services,
} from '../context.ts';
import { takeAdvisoryLock } from '../db/advisory-lock.ts';
import { findFencedBusiness } from '../db/classify-db-errors.ts';
import type { Db } from '../db/handles.ts';
import { AppError } from '../errors.ts';
import { contextsOfServers, findOnServers } from '../find-on-servers.ts';
import type { PartOfKeys } from '../lib/cache/per-request-loader.ts';
import { isId, newId } from '../lib/ids.ts';
import { homeServerName } from '../shard-variables.ts';
import { severalServersError } from '../shards/account-tables.ts';
import {
  assignServerToNewBusiness,
  type BusinessDirectory,
  chooseWeightedServerForNewBusiness,
  removeNewBusiness,
} from '../shards/business-directory.ts';
import {
  findBusinessOfRecordRule,
  isSupportedOnOtherServers,
  placeOfFieldWithoutBusiness,
} from '../shards/supported-operations.ts';
import type { BusinessServer, ServerDbs } from './server-dbs.ts';

interface BusinessServersOptions {
  directory: BusinessDirectory;
  dbs: ServerDbs;
  servers: readonly BusinessServer[];
  homeServerWeight: number;
  /** Creates the services that use a handle of the server with this name. */
  createServices(name: string, db: Db, servers: BusinessServers): Services;
}

export function createBusinessServers(options: BusinessServersOptions): BusinessServers {
  const { directory, dbs, servers, homeServerWeight, createServices } = options;
  const weights = [{ name: homeServerName, weight: homeServerWeight }, ...servers];
  const businessServers = {
    servicesOfCall,
    servicesOfBusiness,
    partitionKeys: (ctx: Context, keys: readonly string[]) =>
      ctx.db.otherServers?.hasOwnBusinesses === false ? partitionKeys(ctx, keys) : undefined,
    forgetServerOfBusiness(error: unknown) {
      const businessId = findFencedBusiness(error);
      if (businessId !== undefined) directory.forget(businessId);
    },
    createBusiness,
    serializeSlugChanges,
  };
  const complete = businessServers as typeof businessServers & BusinessServers;
  const home = createServices(homeServerName, dbs.home, complete);
  const accounts = createServices(homeServerName, dbs.accounts, complete);
  const others = new Map([...dbs.others].map(([name, db]) => [name, createServices(name, db, complete)]));
  const all = [home, ...others.values()];
  return Object.assign(businessServers, { all, accounts });

  function servicesOfServer(name: string): Services {
    const services = name === homeServerName ? home : others.get(name);
    if (!services)
      throw severalServersError(`The server ${name} of this business is not in DATABASE_SHARDS.`);
    return services;
  }

  /** A business that is named by its slug is searched on all servers; the home server responds if there is none. */
  async function servicesOfBusiness(idOrSlug: string): Promise<Services> {
    return isId(idOrSlug)
      ? servicesOfServer(await directory.findServer(idOrSlug))
      : findServicesByKey('select id as business_id from businesses where slug = $1', idOrSlug);
  }

  async function partitionKeys(ctx: Context, keys: readonly string[]): Promise<PartOfKeys<Context>[]> {
    const serverOfKeys = await Promise.all(
      keys.map(async (key) => {
        const [businessId = '', ...rest] = key.split('/');
        return rest.length === 0 ? undefined : servicesOfBusiness(businessId);
      }),
    );
    return contextsOfServers(ctx).map((request, index) => ({
      request,
      keys: keys.filter((_key, at) => (serverOfKeys[at] ?? all[index]) === all[index]),
    }));
  }

  async function servicesOfCall(call: RootFieldCall): Promise<Services> {
    const services = await findServicesOfCall(call);
    const isOtherServer = services !== home && services !== accounts;
    if (isOtherServer && !isSupportedOnOtherServers(call.name))
      throw severalServersError(`${call.name} is not supported on the server of this business.`);
    return services;
  }

  async function findServicesOfCall({ name, businessId, args }: RootFieldCall): Promise<Services> {
    if (businessId !== undefined) return servicesOfBusiness(businessId);
    const rule = findBusinessOfRecordRule(name);
    const key = rule?.keyOf(args);
    if (rule) return key === undefined ? home : findServicesByKey(rule.statement, key);
    const place = placeOfFieldWithoutBusiness(name);
    if (place === 'unsupported') throw severalServersError(`${name} is not supported.`);
    return place === 'home' ? home : accounts;
  }

  /** Two servers have the rows of a business while it is being moved. The home server responds if no server has the record. */
  async function findServicesByKey(statement: string, key: string): Promise<Services> {
    const found = await findOnServers(home, async ({ db }) => {
      const [row] = await db.sql<{ business_id: string }>(statement, [key]);
      return row?.business_id;
    });
    return found ? servicesOfServer(await directory.findServer(found.result)) : home;
  }

  /** One after the other: slugs, and the limit of businesses per account, are compared with the other servers. */
  function serializeSlugChanges<Result>(ctx: Context, run: () => Promise<Result>): Promise<Result> {
    return dbs.accounts.withContext(ctx.db.queryContext).transaction(async (tx) => {
      await takeAdvisoryLock(tx, 'new business');
      return run();
    });
  }

  async function createBusiness<Business extends { id: string }>(
    ctx: Context,
    create: (ctx: Context, id: string) => Promise<Business>,
  ): Promise<Business> {
    const { idempotencyKey } = ctx.request;
    const fraction =
      idempotencyKey === undefined
        ? Math.random()
        : fractionOf(`${ctx.viewer.user?.userId} ${idempotencyKey}`);
    const server = chooseWeightedServerForNewBusiness(weights, fraction);
    const services = servicesOfServer(server);
    const db = services.db.withContext(ctx.db.queryContext);
    const serverCtx = createContext(db, services, ctx.request, ctx.viewer.onServer(db));
    const id = newId();
    return serializeSlugChanges(ctx, async () => {
      if (server === homeServerName) return create(serverCtx, id);
      await assignServerToNewBusiness(dbs.home, id, server);
      try {
        const business = await create(serverCtx, id);
        // A retry has returned the business of the first request.
        if (business.id !== id) await removeNewBusiness(dbs.home, id);
        return business;
      } catch (error) {
        // After other errors, such as a lost connection, the business may exist. An entry without a business does no harm.
        if (error instanceof AppError) await removeNewBusiness(dbs.home, id);
        throw error;
      }
    });
  }
}

/** Number from 0 up to, but not including, 1, equal for equal texts. */
const fractionOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32;
