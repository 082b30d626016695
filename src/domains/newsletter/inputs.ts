/** GraphQL inputs of newsletters. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';

export const SubscribeInput = builder.inputType('SubscribeInput', {
  description: 'Subscriber and plan.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address of the subscriber.' }),
    name: t.string({ description: 'Name of the subscriber, used in the mails. Default: empty.' }),
    planId: t.id({ description: 'Id of a plan of the collection. Required when the collection has plans.' }),
    market: t.id({ description: 'Market of the subscriber.' }),
    returnUrl: t.string({ description: 'URL to redirect to after payment, on an allowed origin.' }),
    cancelUrl: t.string({
      description: 'URL to redirect to when the payment is abandoned, on an allowed origin.',
    }),
  }),
});

export const ChangePlanInput = builder.inputType('ChangePlanInput', {
  description: 'The new plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of a plan of the collection.' }),
    token: t.string({ description: 'Token from a mail of the subscription; replaces signing in.' }),
    returnUrl: t.string({ description: 'URL to redirect to after payment, on an allowed origin.' }),
    cancelUrl: t.string({
      description: 'URL to redirect to when the payment is abandoned, on an allowed origin.',
    }),
  }),
});
