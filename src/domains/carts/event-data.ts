/** Payload schemas of the webhook events of carts. */
import { z } from 'zod';
import {
  businessIdEventField,
  countEventField,
  defineEventDataSchema,
  idEventField,
  listEventField,
  textEventField,
  timeEventField,
  versionEventField,
} from '../../lib/validation/event-fields.ts';

const line = z.object({
  productId: idEventField('Id of the product.'),
  variantId: idEventField('Id of the variant.'),
  quantity: countEventField('Number of units.', 2),
});

export const eventData = {
  'cart.abandoned': defineEventDataSchema(
    'CartAbandoned',
    'A cart with lines that was not changed for 24 hours.',
    {
      id: idEventField('Id of the cart.'),
      businessId: businessIdEventField,
      customerId: idEventField('Id of the owner, a user or a guest.'),
      market: textEventField('Code of the market.', 'US'),
      lines: listEventField(line, 'Lines of the cart.'),
      updatedAt: timeEventField('Time of the last change.'),
      version: versionEventField,
    },
  ),
};
