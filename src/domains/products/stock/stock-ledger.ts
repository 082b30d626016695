/** Stock ledger: every movement with its cause and the balance after it. The sum of the movements of a variant is its stock. */
import { defineTable } from '../../../db/index.ts';
import type { StockMovementModel } from '../../../generated/prisma/models.ts';
import { newId } from '../../../lib/ids.ts';
import type { Product } from '../model.ts';

export const stockMovementKinds = ['INITIAL', 'ORDER', 'CANCEL', 'REFUND', 'ADJUSTMENT', 'EDIT'] as const;
export type StockMovementKind = (typeof stockMovementKinds)[number];

/** Cause of a movement. `userId` is undefined when the gateway caused it by itself. */
export interface StockMovementCause {
  kind: StockMovementKind;
  /** Free text from the user. */
  reason?: string | undefined;
  orderId?: string | undefined;
  userId?: string | undefined;
}

export interface StockMovement extends StockMovementCause {
  id: string;
  businessId: string;
  productId: string;
  variantId: string;
  change: number;
  balance: number;
  createdAt: number;
}

export const stockLedgerTable = defineTable<StockMovement, StockMovementModel>('stock_movements', 'm', {
  id: 'fixed',
  number: 'apart',
  businessId: 'fixed',
  productId: 'fixed',
  variantId: 'fixed',
  kind: 'fixed',
  change: 'fixed',
  balance: 'fixed',
  reason: 'fixed',
  orderId: 'fixed',
  userId: 'fixed',
  createdAt: 'fixed',
});

/** Movements of a product edit: initial stock of new variants, changed quantities, and the remaining stock of removed variants. */
export function buildStockMovementsForEdit(
  before: Pick<Product, 'variants'>,
  { id: productId, businessId, variants, updatedAt }: Product,
  userId: string | undefined,
): StockMovement[] {
  const quantityById = new Map(before.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  const movement = (
    variantId: string,
    kind: StockMovementKind,
    previous: number,
    balance: number,
  ): StockMovement[] =>
    balance === previous
      ? []
      : [
          {
            id: newId(),
            businessId,
            productId,
            variantId,
            kind,
            change: balance - previous,
            balance,
            userId,
            createdAt: updatedAt,
          },
        ];
  const ofCurrentVariants = variants.flatMap(({ id, inventory }) => {
    const previous = quantityById.get(id);
    quantityById.delete(id);
    return movement(id, previous === undefined ? 'INITIAL' : 'EDIT', previous ?? 0, inventory.quantity);
  });
  return [
    ...ofCurrentVariants,
    ...[...quantityById].flatMap(([id, previous]) => movement(id, 'EDIT', previous, 0)),
  ];
}
