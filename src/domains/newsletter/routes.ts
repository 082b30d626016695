/** Subscribing to collections, and sending their entries. */
import * as operations from '../../generated/operations.ts';
import { act, list } from '../../rest/row.ts';

const business = '/v1/businesses/:businessId';
const collections = `${business}/collections` as const;
const subscription = `${business}/subscriptions/:id` as const;

export const routes = [
  act('POST', `${collections}/:collectionId/subscribe`, operations.SubscribeDocument, {
    alias: { plan_id: 'planId' },
    answer: { at: 'subscribe.subscription', otherwise: { checkoutUrl: 'subscribe.checkoutUrl' } },
  }),
  list(`${collections}/:id/subscribers`, operations.ListSubscribersDocument, {
    query: ['status', 'sort'],
    filter: ['statuses', 'planId', 'email', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    answer: 'subscribers',
  }),
  act('POST', `${subscription}/cancel`, operations.CancelSubscriptionDocument, {
    fields: ['token'],
    answer: 'cancelSubscription.subscription',
  }),
  act('POST', `${subscription}/resume`, operations.ResumeSubscriptionDocument, {
    fields: ['token'],
    answer: 'resumeSubscription.subscription',
  }),
  act('POST', `${subscription}/plan`, operations.ChangePlanDocument, {
    alias: { plan_id: 'planId' },
    answer: { at: 'changePlan.subscription', otherwise: { checkoutUrl: 'changePlan.checkoutUrl' } },
  }),
  // Opening the address shows a page with a button, see http/pages/mail-links.ts: programs open links too.
  act('POST', `${business}/subscriptions/confirm`, operations.ConfirmSubscriptionDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'confirmSubscription.subscription',
  }),
  act('POST', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'unsubscribe',
  }),
  // For clients that ask for JSON alone; everybody else gets a page with a button, see http/pages/mail-links.ts.
  act('GET', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    query: ['token'],
    answer: 'unsubscribe',
  }),
  act('POST', `${business}/subscriptions/resubscribe`, operations.ResubscribeDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'resubscribe.subscription',
  }),
  act('POST', `${business}/entries/:id/send`, operations.SendEntryDocument, {
    fields: ['scheduledAt'],
    answer: 'sendEntry',
  }),
  act('GET', '/v1/collections/entry-types/:entryType/variables', operations.TemplateVariablesDocument, {
    answer: { value: 'templateVariables', as: 'variables' },
    missing: 'Entry type',
  }),
];
