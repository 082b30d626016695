/** GraphQL types of the stock ledger. */

import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import { type OutputField, outputFields } from '../../../graphql/schema/field-tables.ts';
import type { StockMovement, stockMovementKinds } from './stock-ledger.ts';

const StockMovementKindEnum = builder.enumType('StockMovementKind', {
  description: 'Cause of a stock movement.',
  values: {
    INITIAL: { description: 'Initial stock of a new variant.' },
    ORDER: { description: 'Taken by an order.' },
    CANCEL: { description: 'Returned by a cancelled order.' },
    REFUND: { description: 'Returned by a refund.' },
    ADJUSTMENT: { description: 'Adjusted by `adjustStock`.' },
    EDIT: { description: 'The product or the lines of an order were edited.' },
  } satisfies Record<(typeof stockMovementKinds)[number], object>,
});

export const StockMovementGraphqlType = builder.objectRef<StockMovement>('StockMovement').implement({
  description: 'One change of the stock of a variant. The sum of all changes is the quantity in stock.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the movement.'],
        businessId: ['ID!', 'Id of the business.'],
        productId: ['ID!', 'Id of the product.'],
        variantId: ['ID!', 'Id of the variant.'],
        kind: t.expose('kind', { type: StockMovementKindEnum, description: 'Cause of the movement.' }),
        change: ['Int!', 'Units added, or removed when negative.'],
        balance: ['Int!', 'Units in stock after the movement.'],
        reason: ['String', 'Reason given by the user; null without one.'],
        orderId: ['ID', 'Id of the order; null when no order caused it.'],
        userId: ['ID', 'Id of the user who caused it; null when the gateway did.'],
        createdAt: ['Timestamp!', 'Time of the movement.'],
      }) satisfies Record<keyof StockMovement, OutputField>,
  ),
});

export const StockMovementConnection = createConnectionType('StockMovement', StockMovementGraphqlType);
