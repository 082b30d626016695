/** Field `PersonalData.orders`: orders in the personal data export of a user, across all businesses. */
import type { Context } from '../../../context.ts';
import { buildDistinctValuesSql, businessServersOf, type UntypedRow } from '../../../db/index.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { collectNewestPersonalData } from '../../shared/personal-data/collect-newest-personal-data.ts';
import {
  PersonalDataGraphqlType,
  type PersonalDataOwner,
  personalDataListCost,
} from '../../shared/personal-data/personal-data-graphql-type.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';
import { OrderGraphqlType } from '../types.ts';

// The index is on (business_id, customer_id): one index lookup per business.
const ownOrders = `
  select ${orderTable.columns} from ${buildDistinctValuesSql('orders', 'business_id')} b
  cross join lateral (
    select * from orders o where o.business_id = b.id and o.customer_id = $1 and ($2::uuid is null or o.id < $2)
    order by o.id desc limit $3
  ) o
  order by o.id desc limit $3`;

async function ordersOf(ctx: Context, { userId }: PersonalDataOwner): Promise<Order[]> {
  const rows = await collectNewestPersonalData<UntypedRow>(
    businessServersOf(ctx.db),
    'id',
    (server, below, take) => server.sql<UntypedRow>(ownOrders, [userId, below ?? null, take]),
  );
  return rows.map((row) => redactStatusActors(orderTable.read(row), false, userId));
}

builder.objectField(PersonalDataGraphqlType, 'orders', (t) =>
  t.field({
    type: [OrderGraphqlType],
    description: 'Orders in all businesses, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => ordersOf(ctx, owner),
  }),
);
