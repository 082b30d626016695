/** The carts of one person, in whichever businesses. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { builder } from '../../graphql/builder.ts';
import { newestOf, type Owner, PersonalDataType, personalListCost } from '../shared/personal-data.ts';
import { carts } from './model.ts';
import { CartType } from './types.ts';
import { type CartView, viewsOf } from './view.ts';

const ownCarts = `select ${carts.columns} from ${carts.from}
  where c.customer_id = $1 and ($2::uuid is null or c.id < $2) order by c.id desc limit $3`;

async function cartsOf(ctx: Context, { userId }: Owner): Promise<CartView[]> {
  const rows = await newestOf<Row>(
    ({ id }) => id,
    (below, take) => ctx.db.sql<Row>(ownCarts, [userId, below ?? null, take]),
  );
  return viewsOf(ctx.db, rows.map(carts.read));
}

builder.objectField(PersonalDataType, 'carts', (t) =>
  t.field({
    type: [CartType],
    description: 'Carts, in whichever businesses, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => cartsOf(ctx, owner),
  }),
);
