/** Subscribing to collections, and sending their entries. */
import * as operations from '../../generated/operations.ts';
import { customRoute, listRoute } from '../../rest/route.ts';

const business = '/v1/businesses/:businessId';
const collections = `${business}/collections` as const;
const subscription = `${business}/subscriptions/:id` as const;

export const routes = [
  customRoute('POST', `${collections}/:collectionId/subscribe`, operations.SubscribeDocument, {
    alias: { plan_id: 'planId' },
    answer: { at: 'subscribe.subscription', otherwise: { checkoutUrl: 'subscribe.checkoutUrl' } },
  }),
  listRoute(`${collections}/:id/subscribers`, operations.ListSubscribersDocument, {
    query: ['status', 'sort'],
    filter: ['statuses', 'planId', 'email', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    answer: 'subscribers',
  }),
  customRoute('POST', `${subscription}/cancel`, operations.CancelSubscriptionDocument, {
    fields: ['token'],
    answer: 'cancelSubscription.subscription',
  }),
  customRoute('POST', `${subscription}/resume`, operations.ResumeSubscriptionDocument, {
    fields: ['token'],
    answer: 'resumeSubscription.subscription',
  }),
  customRoute('POST', `${subscription}/plan`, operations.ChangePlanDocument, {
    alias: { plan_id: 'planId' },
    answer: { at: 'changePlan.subscription', otherwise: { checkoutUrl: 'changePlan.checkoutUrl' } },
  }),
  // Opening the address shows a page with a button, see http/pages/customer/mail-links-route.ts: programs open links too.
  customRoute('POST', `${business}/subscriptions/confirm`, operations.ConfirmSubscriptionDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'confirmSubscription.subscription',
  }),
  customRoute('POST', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'unsubscribe',
  }),
  // For clients that ask for JSON alone; everybody else gets a page with a button, see http/pages/customer/mail-links-route.ts.
  customRoute('GET', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    query: ['token'],
    answer: 'unsubscribe',
  }),
  customRoute('POST', `${business}/subscriptions/resubscribe`, operations.ResubscribeDocument, {
    fields: ['token'],
    query: ['token'],
    answer: 'resubscribe.subscription',
  }),
  customRoute('POST', `${business}/entries/:id/send`, operations.SendEntryDocument, {
    fields: ['scheduledAt'],
    answer: 'sendEntry',
  }),
  customRoute(
    'GET',
    '/v1/collections/entry-types/:entryType/variables',
    operations.TemplateVariablesDocument,
    {
      answer: { value: 'templateVariables', as: 'variables' },
      missing: 'Entry type',
    },
  ),
];
