/** Payload schemas of the webhook events of carts. */
import { z } from 'zod';
import {
  businessIdField,
  countField,
  eventDataSchema,
  idField,
  listField,
  textField,
  timeField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const line = z.object({
  productId: idField('Id of the product.'),
  variantId: idField('Id of the variant.'),
  quantity: countField('Number of units.', 2),
});

export const eventData = {
  'cart.abandoned': eventDataSchema('CartAbandoned', 'A cart with lines that was not changed for 24 hours.', {
    id: idField('Id of the cart.'),
    businessId: businessIdField,
    customerId: idField('Id of the owner, a user or a guest.'),
    market: textField('Code of the market.', 'US'),
    lines: listField(line, 'Lines of the cart.'),
    updatedAt: timeField('Time of the last change.'),
    version: versionField,
  }),
};
