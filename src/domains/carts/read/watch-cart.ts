/** Live updates of one cart, for its owner (on any device) and for staff. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscribe-to-changes.ts';
import { findCart } from './find-cart.ts';

export const watchCart = (ctx: Context, args: { businessId: string; id: string }) =>
  subscribeToChanges(
    ctx,
    { kind: 'cart', businessId: args.businessId, record: args.id },
    async (freshCtx, { all, changed }) => {
      const cart = await findCart(freshCtx, args);
      if (!cart) throw notFoundError('Cart');
      return all || changed.size > 0 ? [cart] : [];
    },
  );
