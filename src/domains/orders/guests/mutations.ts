/** GraphQL mutations of order links and of orders placed as a guest. */
import { ownerOrPermissionScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs, inputArg, inputFields, outputFields } from '../../../graphql/schema/field-tables.ts';
import { asPayload } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { OrderPayload } from '../mutations.ts';
import { claimOrders } from './claim-orders.ts';
import { revokeOrderLinks } from './revoke-order-links.ts';
import { revokeOrderLinksSchema, sendOrderLinkSchema } from './schemas.ts';
import { sendOrderLink } from './send-order-link.ts';

const SendOrderLinkInput = builder.inputType('SendOrderLinkInput', {
  description: 'Order and its address.',
  fields: inputFields({
    number: ['Int!', 'Number of the order.'],
    email: ['String!', 'Email address that the mails about the order go to.'],
  }),
});

const SendOrderLinkPayload = builder.objectRef<{ sent: boolean }>('SendOrderLinkPayload').implement({
  description: 'Confirmation, the same whether or not the order exists.',
  fields: outputFields({
    sent: ['Boolean!', 'Always true. A mail is sent only if number and address match.'],
  }),
});

const ClaimOrdersPayload = builder.objectRef<{ claimed: number }>('ClaimOrdersPayload').implement({
  description: 'Result of claiming orders.',
  fields: outputFields({
    claimed: ['Int!', 'Number of orders that now belong to the viewer, at most 100 per request.'],
  }),
});

builder.mutationFields((t) => ({
  revokeOrderLinks: t.field({
    type: OrderPayload,
    description:
      'Invalidates all links to the order that were mailed until now. For the customer of the order, or with ORDERS_WRITE.',
    authScopes: ownerOrPermissionScope('ORDERS_WRITE', 'Order'),
    args: fieldArgs({ businessId: ['ID!', 'The business.'], id: ['ID!', 'Id of the order.'] }),
    ...validatedField(revokeOrderLinksSchema, asPayload('order', revokeOrderLinks)),
  }),
  sendOrderLink: t.field({
    type: SendOrderLinkPayload,
    description:
      'Mails a link to the order to its address. The response is the same when number and address do not match.',
    authScopes: (_parent, { businessId }) => ({ business: businessId }),
    args: fieldArgs({ businessId: ['ID!', 'The business.'], ...inputArg(SendOrderLinkInput, 'The order.') }),
    ...validatedField(sendOrderLinkSchema, sendOrderLink),
  }),
  claimOrders: t.field({
    type: ClaimOrdersPayload,
    description:
      "Makes the viewer the customer of orders that were placed as a guest with the viewer's confirmed email address.",
    authScopes: { confirmed: true },
    resolve: (_root, _args, ctx) => claimOrders(ctx),
  }),
}));
