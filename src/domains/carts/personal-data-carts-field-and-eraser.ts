/** Personal data of carts: export and erasure, across all businesses. */
import type { Context, Services } from '../../context.ts';
import { businessServersOf, type UntypedRow } from '../../db/index.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { collectNewestPersonalData } from '../shared/personal-data/collect-newest-personal-data.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../shared/personal-data/personal-data-eraser-registry.ts';
import {
  PersonalDataGraphqlType,
  type PersonalDataOwner,
  personalDataListCost,
} from '../shared/personal-data/personal-data-graphql-type.ts';
import { cartTable } from './model.ts';
import { type CartWithLazyPrices, toCartsWithLazyPrices } from './read/cart-with-lazy-prices.ts';
import { CartGraphqlType } from './types.ts';

const cartsStatement = `select ${cartTable.columns} from ${cartTable.from}
  where c.customer_id = $1 and ($2::uuid is null or c.id < $2) order by c.id desc limit $3`;

async function loadCartsOf(ctx: Context, { userId }: PersonalDataOwner): Promise<CartWithLazyPrices[]> {
  return collectNewestPersonalData<CartWithLazyPrices>(
    businessServersOf(ctx.db),
    'id',
    async (server, below, take) => {
      const rows = await server.sql<UntypedRow>(cartsStatement, [userId, below ?? null, take]);
      return toCartsWithLazyPrices(server, rows.map(cartTable.read));
    },
  );
}

builder.objectField(PersonalDataGraphqlType, 'carts', (t) =>
  t.field({
    type: [CartGraphqlType],
    description: 'Carts in all businesses, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => loadCartsOf(ctx, owner),
  }),
);

async function eraseCarts({ db }: Services, { userId }: ErasedPerson): Promise<void> {
  await db.write('delete from carts where customer_id = $1', [userId]);
}

registerPersonalDataEraser(eraseCarts);
