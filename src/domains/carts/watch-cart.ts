/** Follows a cart: its owner on another device, or staff who help. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { liveEvents } from '../../graphql/live-events.ts';
import { findCart } from './find-cart.ts';

export const watchCart = (ctx: Context, at: { businessId: string; id: string }) =>
  liveEvents(
    ctx,
    { kind: 'cart', businessId: at.businessId, record: at.id },
    async (now, { all, changed }) => {
      const cart = await findCart(now, at);
      if (!cart) throw notFound('Cart');
      return all || changed.size > 0 ? [cart] : [];
    },
  );
