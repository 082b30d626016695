/** What the events of carts carry. */
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
  productId: idField('The product.'),
  variantId: idField('The variant.'),
  quantity: countField('How many.', 2),
});

export const eventData = {
  'cart.abandoned': eventDataSchema('CartAbandoned', 'A cart that nobody has come back to for a day.', {
    id: idField('Id of the cart.'),
    businessId: businessIdField,
    customerId: idField('Whose cart it is; may be a guest.'),
    market: textField('Its market.', 'US'),
    lines: listField(line, 'What is in it.'),
    updatedAt: timeField('When it was last changed.'),
    version: versionField,
  }),
};
