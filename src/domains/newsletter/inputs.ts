/** GraphQL inputs of newsletters. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';

export const SubscribeInput = builder.inputType('SubscribeInput', {
  description: 'Who subscribes, and how.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Where the mails go.' }),
    name: t.string({ description: 'How the mails address them.' }),
    planId: t.id({ description: 'One of the plans of the collection; needless when it has none.' }),
    market: t.id({ description: 'The market they are in.' }),
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
  }),
});

export const ChangePlanInput = builder.inputType('ChangePlanInput', {
  description: 'The plan that takes the place of the other one.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'One of the plans of the collection.' }),
    token: t.string({ description: 'From a mail; needs no account.' }),
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
  }),
});
