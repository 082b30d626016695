/** The account: orders, and addresses to choose from when one buys. */
import { signOut } from '../account.ts';
import { ask, businessId, isMember, userId } from '../gateway.ts';
import {
  AccountDocument,
  type AccountQuery,
  type AddressInput,
  KeepAddressesDocument,
  type PlacePartsFragment,
} from '../generated/graphql';
import { fill, h, link, status } from '../lib/dom.ts';
import { form } from '../lib/form.ts';
import { day, inOneLine, money } from '../lib/format.ts';
import { go, type Page } from '../lib/router.ts';
import { wordsOf } from '../lib/words.ts';
import { addressFields, placeOf, postalFrom } from '../parts/address.ts';
import { signInPage } from './sign-in.ts';

type Orders = AccountQuery['orders'];

const words: Record<Orders['nodes'][number]['status'], string> = {
  PENDING: 'Waits for payment',
  PROCESSING: 'Being packed',
  SHIPPED: 'On its way',
  DELIVERED: 'Delivered',
  CANCELLED: 'Cancelled',
  REFUNDED: 'Refunded',
};

function orderList(first: Orders): HTMLElement {
  const rows = h('ul', { class: 'receipt' });
  const more = h('p', {});
  const add = ({ nodes, pageInfo }: Orders) => {
    rows.append(
      ...nodes.map(({ id, number, createdAt, status: state, total, currency }) =>
        h(
          'li',
          {},
          h(
            'span',
            {},
            link(`/order?orderId=${id}`, `Order ${number}`),
            h('span', { class: 'soft' }, ` ${day(createdAt)}`),
          ),
          h('span', {}, `${words[state]}, ${money(total, currency)}`),
        ),
      ),
    );
    const click = async () =>
      add(
        (await ask(AccountDocument, { businessId, customerId: userId(), after: pageInfo.endCursor })).orders,
      );
    fill(
      more,
      pageInfo.hasNextPage &&
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            click: () => void click().catch((error) => fill(more, wordsOf(error))),
          },
          'Older orders',
        ),
    );
  };
  add(first);
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Your orders'),
    first.nodes.length > 0 ? rows : h('p', { class: 'soft' }, 'You have not ordered yet.'),
    more,
  );
}

function addressBook(known: readonly PlacePartsFragment[]): HTMLElement {
  let places = known;
  const list = h('ul', { class: 'receipt' });
  const said = status();
  const writing = h('div', {});
  // The whole list is sent: ids keep those that stay.
  const keep = async (next: AddressInput[]) => {
    places = (await ask(KeepAddressesDocument, { addresses: next })).updateMe.user.addresses;
    show();
  };
  const remove = (place: PlacePartsFragment) =>
    keep(places.filter((one) => one !== place)).catch((error) => fill(said, wordsOf(error).join(' ')));
  const draw = (place: PlacePartsFragment) => {
    const text = inOneLine(postalFrom(place));
    return h(
      'li',
      {},
      h('span', {}, text),
      h(
        'button',
        { type: 'button', class: 'quiet', click: () => void remove(place) },
        'Remove',
        h('span', { class: 'unseen' }, ` ${text}`),
      ),
    );
  };
  const show = () => {
    fill(list, places.map(draw));
    const adding = form({
      label: 'New address',
      submit: 'Keep address',
      quiet: true,
      fields: h('div', { class: 'address' }, addressFields()),
      async send(values) {
        await keep([...places, placeOf(values)]);
        fill(said, 'The address is kept.');
        return undefined;
      },
    });
    fill(writing, h('details', {}, h('summary', {}, 'Add an address'), adding));
  };
  show();
  return h('section', { class: 'panel' }, h('h2', {}, 'Your addresses'), list, said, writing);
}

export const accountPage: Page = async (visit) => {
  if (!isMember()) return signInPage(visit);
  const { me, orders } = await ask(
    AccountDocument,
    { businessId, customerId: userId() },
    { signal: visit.signal },
  );
  const leave = () => void signOut().then(() => go('/'));
  return {
    title: 'Your account',
    body: [
      h('h1', {}, `Hello, ${me.name}`),
      h(
        'p',
        { class: 'soft' },
        me.email,
        ' ',
        h('button', { type: 'button', class: 'quiet', click: leave }, 'Sign out'),
      ),
      h('div', { class: 'halves' }, orderList(orders), addressBook(me.addresses)),
    ],
  };
};
