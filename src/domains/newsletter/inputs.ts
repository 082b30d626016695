/** GraphQL inputs of newsletters. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const SubscribeInput = builder.inputType('SubscribeInput', {
  description: 'Subscriber and plan.',
  fields: inputFields({
    email: ['String!', 'Email address of the subscriber.'],
    name: ['String', 'Name of the subscriber, used in the mails. Default: empty.'],
    planId: ['ID', 'Id of a plan of the collection. Required when the collection has plans.'],
    market: ['ID', 'Market of the subscriber.'],
    returnUrl: ['String', 'URL to redirect to after payment, on an allowed origin.'],
    cancelUrl: ['String', 'URL to redirect to when the payment is abandoned, on an allowed origin.'],
  }),
});

export const ChangePlanInput = builder.inputType('ChangePlanInput', {
  description: 'The new plan.',
  fields: inputFields({
    planId: ['ID!', 'Id of a plan of the collection.'],
    token: ['String', 'Token from a mail of the subscription; replaces signing in.'],
    returnUrl: ['String', 'URL to redirect to after payment, on an allowed origin.'],
    cancelUrl: ['String', 'URL to redirect to when the payment is abandoned, on an allowed origin.'],
  }),
});
