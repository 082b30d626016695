/** The orders of one person, in whichever businesses. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { valuesOf } from '../../db/values-of.ts';
import { builder } from '../../graphql/builder.ts';
import { newestOf, type Owner, PersonalDataType, personalListCost } from '../shared/personal-data.ts';
import { type Order, orders, seenBy } from './model.ts';
import { OrderType } from './types.ts';

// Customers are found business by business: that is the order of the index.
const ownOrders = `
  select ${orders.columns} from ${valuesOf('orders', 'business_id')} b
  cross join lateral (
    select * from orders o where o.business_id = b.id and o.customer_id = $1 and ($2::uuid is null or o.id < $2)
    order by o.id desc limit $3
  ) o
  order by o.id desc limit $3`;

async function ordersOf(ctx: Context, { userId }: Owner): Promise<Order[]> {
  const rows = await newestOf<Row>(
    ({ id }) => id,
    (below, take) => ctx.db.sql<Row>(ownOrders, [userId, below ?? null, take]),
  );
  return rows.map((row) => seenBy(orders.read(row), false, userId));
}

builder.objectField(PersonalDataType, 'orders', (t) =>
  t.field({
    type: [OrderType],
    description: 'Orders, in whichever businesses, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => ordersOf(ctx, owner),
  }),
);
