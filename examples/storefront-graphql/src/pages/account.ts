/** Account page: orders, and addresses that checkout offers. */
import { signOut } from '../account.ts';
import { businessId, isMember, run, userId } from '../gateway.ts';
import {
  AccountDocument,
  type AccountQuery,
  type AddressInput,
  KeepAddressesDocument,
  type PlacePartsFragment,
} from '../generated/graphql';
import { fill, h, link, status } from '../lib/dom.ts';
import { errorMessages } from '../lib/error-messages.ts';
import { form } from '../lib/form.ts';
import { day, formatAddress, money } from '../lib/format.ts';
import { go, type Page } from '../lib/router.ts';
import { addressFields, fromProfileAddress, toProfileAddress } from '../parts/address.ts';
import { signInPage } from './sign-in.ts';

type Orders = AccountQuery['orders'];

const statusLabels: Record<Orders['nodes'][number]['status'], string> = {
  PENDING: 'Awaiting payment',
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
          h('span', {}, `${statusLabels[state]}, ${money(total, currency)}`),
        ),
      ),
    );
    const click = async () =>
      add(
        (await run(AccountDocument, { businessId, customerId: userId(), after: pageInfo.endCursor })).orders,
      );
    fill(
      more,
      pageInfo.hasNextPage &&
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            click: () => void click().catch((error) => fill(more, errorMessages(error))),
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

function addressBook(initial: readonly PlacePartsFragment[]): HTMLElement {
  let addresses = initial;
  const list = h('ul', { class: 'receipt' });
  const message = status();
  const formContainer = h('div', {});
  // The mutation replaces the whole list; existing addresses keep their ids.
  const save = async (next: AddressInput[]) => {
    addresses = (await run(KeepAddressesDocument, { addresses: next })).updateMe.user.addresses;
    show();
  };
  const remove = (address: PlacePartsFragment) =>
    save(addresses.filter((other) => other !== address)).catch((error) =>
      fill(message, errorMessages(error).join(' ')),
    );
  const renderAddress = (address: PlacePartsFragment) => {
    const text = formatAddress(fromProfileAddress(address));
    return h(
      'li',
      {},
      h('span', {}, text),
      h(
        'button',
        { type: 'button', class: 'quiet', click: () => void remove(address) },
        'Remove',
        h('span', { class: 'unseen' }, ` ${text}`),
      ),
    );
  };
  const show = () => {
    fill(list, addresses.map(renderAddress));
    const addressForm = form({
      label: 'New address',
      submit: 'Save address',
      quiet: true,
      fields: h('div', { class: 'address' }, addressFields()),
      async send(values) {
        await save([...addresses, toProfileAddress(values)]);
        fill(message, 'The address is saved.');
        return undefined;
      },
    });
    fill(formContainer, h('details', {}, h('summary', {}, 'Add an address'), addressForm));
  };
  show();
  return h('section', { class: 'panel' }, h('h2', {}, 'Your addresses'), list, message, formContainer);
}

export const accountPage: Page = async (visit) => {
  if (!isMember()) return signInPage(visit);
  const { me, orders } = await run(
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
