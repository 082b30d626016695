/** Conversion of a cart to order content and back. In the order, blocks of a line have the id `lines.<index>.<id>`, and the note is the block `note`. */
import type { Block } from '../../blocks/model.ts';
import type { Order } from '../../orders/model.ts';
import type { CartContent } from '../cart-limits-and-merging.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';

const noteId = 'note';
const linePattern = /^lines\.(\d+)\.(.+)$/s;

/** Block ids that have a meaning in orders and so are rejected in carts. */
export const isReservedOrderBlockId = (id: string): boolean => id === noteId || id.startsWith('lines.');

export const cartToOrderBlocks = ({ blocks, lines, note }: StoredCart): Block[] => [
  ...blocks,
  ...(note === undefined ? [] : [{ id: noteId, type: 'TEXT' as const, value: note }]),
  ...lines.flatMap((line, index) =>
    line.blocks.map((block) => ({ ...block, id: `lines.${index}.${block.id}` })),
  ),
];

/** Cart content of an order; `newId` creates the ids of its lines. */
export function orderToCartContent(order: Order, newId: () => string): CartContent {
  const note = order.blocks.find(({ id }) => id === noteId)?.value;
  return {
    market: order.market,
    lines: order.lines.map(
      (line, index): StoredCartLine => ({
        id: newId(),
        productId: line.productId,
        variantId: line.variantId,
        quantity: line.quantity,
        blocks: blocksOfLine(order.blocks, index),
        name: line.name,
        variantName: line.variantName,
        sku: line.sku,
        unitPrice: line.unitPrice,
        currency: order.currency,
        addedAt: order.createdAt,
      }),
    ),
    blocks: order.blocks.filter(({ id }) => !isReservedOrderBlockId(id)),
    shippingAddress: order.shippingAddress,
    billingAddress: order.billingAddress,
    email: order.contactEmail,
    phone: order.contactPhone,
    note: typeof note === 'string' ? note : undefined,
    promoCode: order.promoCode,
    shippingMethodId: order.shippingMethodId,
  };
}

const blocksOfLine = (blocks: readonly Block[], index: number): Block[] =>
  blocks.flatMap((block) => {
    const [, lineIndex, id] = linePattern.exec(block.id) ?? [];
    return id !== undefined && Number(lineIndex) === index ? [{ ...block, id }] : [];
  });
