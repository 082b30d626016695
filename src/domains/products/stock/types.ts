/** GraphQL types of stock: levels and the ledger. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection.ts';
import type { StockMovement, stockMovementKinds } from './ledger.ts';

const StockMovementKindEnum = builder.enumType('StockMovementKind', {
  description: 'What moved stock.',
  values: {
    INITIAL: { description: 'The first stock of a variant.' },
    ORDER: { description: 'An order took it.' },
    CANCEL: { description: 'A cancelled order gave it back.' },
    REFUND: { description: 'A refund gave it back.' },
    ADJUSTMENT: { description: 'Somebody changed it by a difference.' },
    EDIT: { description: 'The product, or the lines of an order, were edited.' },
  } satisfies Record<(typeof stockMovementKinds)[number], object>,
});

export const StockMovementType = builder.objectRef<StockMovement>('StockMovement').implement({
  description: 'One change of the stock of a variant. All of them add up to what is in stock.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the movement.' }),
      businessId: t.exposeID('businessId', { description: 'The business.' }),
      productId: t.exposeID('productId', { description: 'Id of the product.' }),
      variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
      kind: t.expose('kind', { type: StockMovementKindEnum, description: 'What moved it.' }),
      change: t.exposeInt('change', { description: 'Pieces that came, or went when negative.' }),
      balance: t.exposeInt('balance', { description: 'Pieces in stock after it.' }),
      reason: t.exposeString('reason', { nullable: true, description: 'What was said about it.' }),
      orderId: t.exposeID('orderId', { nullable: true, description: 'The order it belongs to.' }),
      userId: t.exposeID('userId', {
        nullable: true,
        description: 'Who did it; absent where the service did it on its own.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it happened.' }),
    }) satisfies Record<keyof StockMovement, unknown>,
});

export const StockMovementConnection = createConnectionType('StockMovement', StockMovementType);
