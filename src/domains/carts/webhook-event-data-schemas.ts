/** Payload schemas of the webhook events of carts. */
import { z } from 'zod';
import {
  businessIdEventField,
  defineCountEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineListEventField,
  defineTextEventField,
  defineTimeEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const line = z.object({
  productId: defineIdEventField('Id of the product.'),
  variantId: defineIdEventField('Id of the variant.'),
  quantity: defineCountEventField('Number of units.', 2),
});

export const eventDataSchemas = {
  'cart.abandoned': defineEventDataSchema(
    'CartAbandoned',
    'A cart with lines that was not changed for 24 hours.',
    {
      id: defineIdEventField('Id of the cart.'),
      businessId: businessIdEventField,
      customerId: defineIdEventField('Id of the owner, a user or a guest.'),
      market: defineTextEventField('Code of the market.', 'US'),
      lines: defineListEventField(line, 'Lines of the cart.'),
      updatedAt: defineTimeEventField('Time of the last change.'),
      version: versionEventField,
      email: defineTextEventField(
        'Email address of the owner; absent unless they agreed to receive advertising.',
        'ada@example.com',
      ).optional(),
    },
  ),
};
