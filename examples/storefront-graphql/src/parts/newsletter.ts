/** The newsletter: an address is on the list once its owner has said so, by the link in a mail. */
import { ask, businessId } from '../gateway.ts';
import { JoinNewsletterDocument, type ShopQuery } from '../generated/graphql';
import { h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';

export function newsletter({ collections }: ShopQuery): HTMLElement | null {
  const [letter] = collections.nodes;
  const free = letter?.plans?.find(({ price }) => price.amount === 0);
  if (!letter || (letter.plans?.length && !free)) return null;
  return h(
    'section',
    { 'aria-labelledby': 'newsletter' },
    h('h2', { id: 'newsletter' }, letter.name),
    h('p', {}, letter.description),
    form({
      label: 'Newsletter',
      submit: 'Subscribe',
      fields: field({ name: 'email', label: 'Your email', type: 'email', autocomplete: 'email' }),
      async send({ email = '' }) {
        const input = { email, ...(free ? { planId: free.id } : {}) };
        const { subscribe } = await ask(
          JoinNewsletterDocument,
          { businessId, collectionId: letter.id, input },
          { idempotencyKey: true },
        );
        return subscribe.subscription?.status === 'ACTIVE'
          ? 'You are on the list.'
          : 'Almost done: open the link that we have mailed to you.';
      },
    }),
  );
}
