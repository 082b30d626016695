/** `duet order-numbers skip`: leaves out numbers that may belong to orders which a restored database lacks. */
import { filterExistingBusinessIds, streamBusinessIds } from '../../domains/businesses/manage-businesses.ts';
import {
  type SkippedOrderNumbers,
  skipOrderNumbers,
} from '../../domains/orders/manage/skip-order-numbers.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const maxCount = 1_000_000;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function parseOrderNumbersArgs(args: readonly string[]) {
  const options = { business: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseCommandArgs(args, options, ['skip', 'N']);
  const [subcommand, count = ''] = positionals;
  if (subcommand !== 'skip') throw new UsageError('The only subcommand is "skip".');
  if (!/^\d+$/.test(count) || Number(count) < 1 || Number(count) > maxCount)
    throw new UsageError(`N must be a whole number from 1 to ${maxCount.toLocaleString('en')}.`);
  if (values.business !== undefined && !uuid.test(values.business))
    throw new UsageError('--business must be the id of a business.');
  return { count: Number(count), businessId: values.business, json: values.json };
}

export const orderNumbersCommand = createDatabaseCommand(
  parseOrderNumbersArgs,
  async ({ db, write }, { count, businessId, json }) => {
    const batches =
      businessId === undefined
        ? streamBusinessIds(db)
        : [[...(await filterExistingBusinessIds(db, [businessId]))]];
    const businesses: SkippedOrderNumbers[] = [];
    for await (const ids of batches) {
      const skipped = await skipOrderNumbers(db, count, ids);
      businesses.push(...skipped);
      if (!json) for (const { businessId: id, next } of skipped) write(`${id}: the next order is ${next}\n`);
    }
    if (businessId !== undefined && businesses.length === 0)
      throw new OperatorError(`There is no business ${businessId}.`);
    if (json) write(`${JSON.stringify({ skipped: count, businesses })}\n`);
  },
);
