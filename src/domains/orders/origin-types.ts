/** GraphQL: where an order comes from. */
import { builder } from '../../graphql/builder.ts';
import { OrderType } from './types.ts';

builder.objectField(OrderType, 'externalReference', (t) =>
  t.exposeString('externalReference', {
    nullable: true,
    description: 'What it was known by where it was placed; null when that was here.',
  }),
);
