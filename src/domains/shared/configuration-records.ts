/** What markets, shipping methods, promo codes, roles and customer groups have in common when they are listed, changed and deleted. */
import { assertBusinessExists } from '../../auth/assert-business.ts';
import type { Context } from '../../context.ts';
import { classifyDbError } from '../../db/errors.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { notFoundError, validationError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { assertVersion } from '../../lib/optimistic-locking.ts';
import { keysetRange, loadPage, type Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';

/** Where a record of a business's configuration is found. */
export interface ConfigurationAddress {
  businessId: string;
  id: string;
}

export interface ConfigurationListArgs {
  businessId: string;
  first?: number | undefined;
  after?: string | undefined;
  last?: number | undefined;
  before?: string | undefined;
}

interface Listing<T> {
  findMany(query: { where: object; take: number; orderBy: object }): Promise<T[]>;
  count(query: { where: object }): Promise<number>;
}

/** Configuration is listed by its key, in ascending order: it is read like a price list, not like news. */
export function listConfigurationRecords<T extends object>(
  ctx: Context,
  name: string,
  args: ConfigurationListArgs,
  key: keyof T & string,
  listing: Listing<T>,
): Promise<Page<T>> {
  const where = { businessId: isId(args.businessId) ? args.businessId : nilUuid };
  return loadPage<T>({
    secret: ctx.keys.secret,
    list: `${name}:${args.businessId}`,
    args,
    keyOf: (item) => String(item[key]),
    async fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'asc');
      const found = await listing.findMany({
        where: { ...where, [key]: range },
        take,
        orderBy: { [key]: direction },
      });
      if (found.length === 0) await assertBusinessExists(ctx, args.businessId);
      return found;
    },
    count: () => listing.count({ where }),
  });
}

/** An id that no record has: a business id that is not an id owns nothing. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

interface Stored {
  version: number;
}

/**
 * Changes a record whose version is still the one it was read with. Without an expected version, a concurrent
 * change is no failure: the change is tried again on top of it.
 */
export async function updateConfigurationRecord<T extends Stored>(
  { db }: Context,
  options: {
    what: string;
    expected: number | undefined;
    find(): Promise<T | null>;
    /** Returns the number of rows changed: 0 when the version has moved on. */
    change(current: T, stamp: { version: number; updatedAt: number }): Promise<{ count: number }>;
  },
): Promise<T> {
  for (;;) {
    const current = await options.find();
    if (!current) throw notFoundError(options.what);
    assertVersion(current.version, options.expected);
    const { count } = await options.change(current, {
      version: db.nextVersion(current.version),
      updatedAt: now(),
    });
    if (count > 0) return (await options.find()) ?? current;
  }
}

export async function deleteConfigurationRecord<T extends Stored>(options: {
  what: string;
  id: string;
  expected: number | undefined;
  find(): Promise<T | null>;
  remove(current: T): Promise<{ count: number }>;
}): Promise<{ id: string }> {
  const current = await options.find();
  if (!current) throw notFoundError(options.what);
  assertVersion(current.version, options.expected);
  const { count } = await options.remove(current);
  if (count === 0) throw notFoundError(options.what);
  return { id: options.id };
}

export const alreadyTakenError = (field: string, error: DetailCode) =>
  validationError({ field, error, message: `This ${field} is taken.` });

/** Runs a change that may clash with a unique key. */
export async function mapUniqueViolation<T>(clash: () => Error, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw classifyDbError(error)?.kind === 'unique' ? clash() : error;
  }
}
