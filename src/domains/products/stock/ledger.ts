/** The ledger of stock: every movement with its reason and the balance after it. Its sum is the stock. */

import { defineTable } from '../../../db/records/table.ts';
import type { StockMovementModel } from '../../../generated/prisma/models.ts';
import { newId } from '../../../lib/ids.ts';
import type { Product } from '../model.ts';

export const stockMovementKinds = ['INITIAL', 'ORDER', 'CANCEL', 'REFUND', 'ADJUSTMENT', 'EDIT'] as const;
export type StockMovementKind = (typeof stockMovementKinds)[number];

/** Why stock moves, and who moves it: nobody where the service does so on its own. */
export interface StockMovementCause {
  kind: StockMovementKind;
  /** What people said about it. */
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

export const stockLedger = defineTable<StockMovement, StockMovementModel>('stock_movements', 'm', {
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

/** What an edit of the product does to its stock: first stock of new variants, changed levels, and what goes with dropped variants. */
export function stockMovementsForEdit(
  before: Pick<Product, 'variants'>,
  { id: productId, businessId, variants, updatedAt }: Product,
  userId: string | undefined,
): StockMovement[] {
  const left = new Map(before.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  const movement = (
    variantId: string,
    kind: StockMovementKind,
    was: number,
    balance: number,
  ): StockMovement[] =>
    balance === was
      ? []
      : [
          {
            id: newId(),
            businessId,
            productId,
            variantId,
            kind,
            change: balance - was,
            balance,
            userId,
            createdAt: updatedAt,
          },
        ];
  const kept = variants.flatMap(({ id, inventory }) => {
    const was = left.get(id);
    left.delete(id);
    return movement(id, was === undefined ? 'INITIAL' : 'EDIT', was ?? 0, inventory.quantity);
  });
  return [...kept, ...[...left].flatMap(([id, was]) => movement(id, 'EDIT', was, 0))];
}
