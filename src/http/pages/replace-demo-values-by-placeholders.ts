/** Replaces ids and logins of the demo shop in examples by names such as YOUR_PRODUCT_ID; pages insert values of the visitor's shop. */
import { demoShopIdsAndLogins } from '../../seed/shop-data.ts';

/** Kinds of records by the group of a seed id. Group 0 has the accounts; businesses that examples delete have a group of their own. */
const kindsOfSeedGroups: Readonly<Record<string, string>> = {
  '001': 'ROLE',
  '002': 'PROMO_CODE',
  '003': 'PRODUCT',
  '004': 'VARIANT',
  '006': 'COLLECTION',
  '007': 'ENTRY',
  '009': 'SUBSCRIPTION',
  '00a': 'USER',
  '00b': 'ORDER',
  '00c': 'WEBHOOK',
  '00d': 'DELIVERY',
  '00e': 'OTHER_BUSINESS',
  '00f': 'FILE',
  '010': 'CART',
  '011': 'CATEGORY',
};

const valuesByText: Readonly<Record<string, string>> = {
  [demoShopIdsAndLogins.businessId]: 'YOUR_BUSINESS_ID',
  [demoShopIdsAndLogins.customerId]: 'YOUR_USER_ID',
  [demoShopIdsAndLogins.email]: 'you@shop.example',
  [demoShopIdsAndLogins.customerEmail]: 'customer@shop.example',
  [demoShopIdsAndLogins.password]: 'a-long-password-of-yours',
  'house-espresso-no-4': 'YOUR_PRODUCT_SLUG',
  'Demo Coffee': 'Your shop',
  'Demo Admin': 'You',
};

const seedValues = new RegExp(
  `${Object.keys(valuesByText).join('|')}|01900000-0000-7([0-9a-f]{3})-8000-[0-9a-f]{12}`,
  'g',
);

/** Replaces the ids and logins of the demo shop in a text. */
export const replaceDemoValuesByPlaceholders = (text: string): string =>
  text.replace(seedValues, (value: string, group: string | undefined) => {
    const kind = group === undefined ? undefined : kindsOfSeedGroups[group];
    return valuesByText[value] ?? (kind === undefined ? value : `YOUR_${kind}_ID`);
  });
