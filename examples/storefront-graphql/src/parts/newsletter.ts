/** Newsletter form with double opt-in: a subscription is active once the link in the mail is confirmed. */
import { businessId, run } from '../gateway.ts';
import { JoinNewsletterDocument, type ShopQuery } from '../generated/graphql';
import { h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';

export function newsletter({ collections }: ShopQuery): HTMLElement | null {
  const [collection] = collections.nodes;
  const freePlan = collection?.plans?.find(({ price }) => price.amount === 0);
  if (!collection || (collection.plans?.length && !freePlan)) return null;
  return h(
    'section',
    { 'aria-labelledby': 'newsletter' },
    h('h2', { id: 'newsletter' }, collection.name),
    h('p', {}, collection.description),
    form({
      label: 'Newsletter',
      submit: 'Subscribe',
      fields: field({ name: 'email', label: 'Your email', type: 'email', autocomplete: 'email' }),
      async send({ email = '' }) {
        const input = { email, ...(freePlan ? { planId: freePlan.key } : {}) };
        const { subscribe } = await run(
          JoinNewsletterDocument,
          { businessId, collectionId: collection.id, input },
          { idempotencyKey: true },
        );
        return subscribe.subscription?.status === 'ACTIVE'
          ? 'You are on the list.'
          : 'Almost done: open the link that we have mailed to you.';
      },
    }),
  );
}
