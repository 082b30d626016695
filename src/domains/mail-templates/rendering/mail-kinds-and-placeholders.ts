/** Kinds of mails with a template, and the placeholders of each. */

export const mailTemplateKinds = [
  'ORDER_CONFIRMED',
  'ORDER_SHIPPED',
  'ORDER_CANCELLED',
  'ORDER_REFUNDED',
  'RETURN_ACCEPTED',
  'RETURN_REFUSED',
  'ORDER_LINK',
] as const;
export type MailTemplateKind = (typeof mailTemplateKinds)[number];

export interface MailPlaceholder {
  name: string;
  description: string;
  /** Value in previews and test mails. */
  example: string;
}

const orderPlaceholders: readonly MailPlaceholder[] = [
  { name: 'shop.name', description: 'Name of the business.', example: '' },
  { name: 'shop.url', description: 'Address of the shop; may be empty.', example: '' },
  { name: 'customer.name', description: 'Name of the customer; may be empty.', example: 'Ada Lovelace' },
  { name: 'order.number', description: 'Number of the order.', example: '1001' },
  { name: 'order.url', description: 'Link to the order.', example: 'https://shop.example/orders/view' },
  { name: 'order.subtotal', description: 'Sum of the lines.', example: '€56.00' },
  { name: 'order.discount', description: 'Discount; empty if there is none.', example: '-€6.00' },
  { name: 'order.shipping', description: 'Shipping costs.', example: '€5.00' },
  { name: 'order.tax', description: 'Tax.', example: '€10.45' },
  { name: 'order.total', description: 'Total amount.', example: '€65.45' },
  {
    name: 'address',
    description: 'Delivery address, one part per line; may be empty.',
    example: 'Ada Lovelace\nAm Wall 1\n28195 Bremen\nDE',
  },
];

const shipmentPlaceholders: readonly MailPlaceholder[] = [
  { name: 'tracking.carrier', description: 'Carrier of the shipment; may be empty.', example: 'DHL' },
  { name: 'tracking.number', description: 'Tracking number; may be empty.', example: '00340434161094042557' },
  {
    name: 'tracking.url',
    description: 'Link to the tracking; may be empty.',
    example: 'https://track.example/00340434161094042557',
  },
];

const kindPlaceholders: Partial<Record<MailTemplateKind, readonly MailPlaceholder[]>> = {
  ORDER_SHIPPED: shipmentPlaceholders,
  ORDER_REFUNDED: [{ name: 'refund.amount', description: 'Refunded amount.', example: '€28.00' }],
  RETURN_REFUSED: [
    {
      name: 'return.note',
      description: 'Reason that staff gave; may be empty.',
      example: 'The item was used.',
    },
  ],
};

/** Placeholders of one line, between `{{#lines}}` and `{{/lines}}`. */
export const orderLinePlaceholders: readonly MailPlaceholder[] = [
  { name: 'line.name', description: 'Product and variant of the line.', example: 'House blend, 250 g' },
  { name: 'line.quantity', description: 'Number of units.', example: '2' },
  {
    name: 'line.total',
    description: 'Price of the line; empty in mails about a part of the order.',
    example: '€28.00',
  },
];

export const mailPlaceholdersOf = (kind: MailTemplateKind): readonly MailPlaceholder[] => [
  ...orderPlaceholders,
  ...(kindPlaceholders[kind] ?? []),
];

/** Placeholders that may be the address of a link. */
export const urlPlaceholders = ['shop.url', 'order.url', 'tracking.url'] as const;
