/** REST routes of newsletters: subscriptions, subscribers, sends and template variables. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute, defineListRoute } from '../../rest/route.ts';

const business = '/v1/businesses/:businessId';
const collections = `${business}/collections` as const;
const subscription = `${business}/subscriptions/:id` as const;

export const routes = [
  defineCustomRoute('POST', `${collections}/:collectionId/subscribe`, operations.SubscribeDocument, {
    inputAliases: { plan_id: 'planId' },
    response: { at: 'subscribe.subscription', fallback: { checkoutUrl: 'subscribe.checkoutUrl' } },
  }),
  defineListRoute(`${collections}/:id/subscribers`, operations.ListSubscribersDocument, {
    query: ['status', 'sort'],
    filter: ['statuses', 'planId', 'email', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
  }),
  defineCustomRoute('POST', `${subscription}/cancel`, operations.CancelSubscriptionDocument, {
    bodyFields: ['token'],
  }),
  defineCustomRoute('POST', `${subscription}/resume`, operations.ResumeSubscriptionDocument, {
    bodyFields: ['token'],
  }),
  defineCustomRoute('POST', `${subscription}/plan`, operations.ChangePlanDocument, {
    inputAliases: { plan_id: 'planId' },
    response: { at: 'changePlan.subscription', fallback: { checkoutUrl: 'changePlan.checkoutUrl' } },
  }),
  defineCustomRoute('PUT', `${subscription}/plan`, operations.ChangePlanDocument, {
    response: { at: 'changePlan.subscription', fallback: { checkoutUrl: 'changePlan.checkoutUrl' } },
  }),
  // GET shows a page with a button (http/pages/customer/newsletter-link-routes.ts), because mail scanners open links too.
  defineCustomRoute('POST', `${business}/subscriptions/confirm`, operations.ConfirmSubscriptionDocument, {
    bodyFields: ['token'],
    query: ['token'],
  }),
  defineCustomRoute('POST', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    bodyFields: ['token'],
    query: ['token'],
  }),
  // Only for clients that accept JSON alone; other clients get a page with a button (http/pages/customer/newsletter-link-routes.ts).
  defineCustomRoute('GET', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    query: ['token'],
  }),
  defineCustomRoute('POST', `${business}/subscriptions/resubscribe`, operations.ResubscribeDocument, {
    bodyFields: ['token'],
    query: ['token'],
  }),
  defineCustomRoute('POST', `${business}/entries/:id/send`, operations.SendEntryDocument, {
    bodyFields: ['scheduledAt'],
  }),
  defineCustomRoute(
    'GET',
    '/v1/collections/entry-types/:entryType/variables',
    operations.TemplateVariablesDocument,
    { response: { value: 'templateVariables', as: 'variables' }, recordName: 'Entry type' },
  ),
];
