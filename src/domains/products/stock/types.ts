/** GraphQL types of the stock ledger. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
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
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the movement.' }),
      businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
      productId: t.exposeID('productId', { description: 'Id of the product.' }),
      variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
      kind: t.expose('kind', { type: StockMovementKindEnum, description: 'Cause of the movement.' }),
      change: t.exposeInt('change', { description: 'Units added, or removed when negative.' }),
      balance: t.exposeInt('balance', { description: 'Units in stock after the movement.' }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Reason given by the user; null without one.',
      }),
      orderId: t.exposeID('orderId', {
        nullable: true,
        description: 'Id of the order; null when no order caused it.',
      }),
      userId: t.exposeID('userId', {
        nullable: true,
        description: 'Id of the user who caused it; null when the gateway did.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the movement.' }),
    }) satisfies Record<keyof StockMovement, unknown>,
});

export const StockMovementConnection = createConnectionType('StockMovement', StockMovementGraphqlType);
