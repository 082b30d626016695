/** What the events of carts carry. */
import { z } from 'zod';
import { businessId, count, data, id, list, text, time, version } from '../../lib/event-shapes.ts';

const line = z.object({
  productId: id('The product.'),
  variantId: id('The variant.'),
  quantity: count('How many.', 2),
});

export const eventData = {
  'cart.abandoned': data('CartAbandoned', 'A cart that nobody has come back to for a day.', {
    id: id('Id of the cart.'),
    businessId,
    customerId: id('Whose cart it is; may be a guest.'),
    market: text('Its market.', 'US'),
    lines: list(line, 'What is in it.'),
    updatedAt: time('When it was last changed.'),
    version,
  }),
};
