/** Follows a cart: its owner on another device, or staff who help. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscription-events.ts';
import { findCart } from './find-cart.ts';

export const watchCart = (ctx: Context, at: { businessId: string; id: string }) =>
  subscribeToChanges(
    ctx,
    { kind: 'cart', businessId: at.businessId, record: at.id },
    async (now, { all, changed }) => {
      const cart = await findCart(now, at);
      if (!cart) throw notFoundError('Cart');
      return all || changed.size > 0 ? [cart] : [];
    },
  );
