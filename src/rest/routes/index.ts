/** Every row of the REST table. */
import type { Row } from '../row.ts';
import { rows as businesses } from './businesses.ts';
import { rows as checkout } from './checkout.ts';
import { rows as collections } from './collections.ts';
import { rows as entries } from './entries.ts';
import { rows as newsletter } from './newsletter.ts';
import { rows as orders } from './orders.ts';
import { rows as products } from './products.ts';
import { rows as users } from './users.ts';
import { rows as webhooks } from './webhooks.ts';

export const rows: readonly Row[] = [
  ...businesses,
  ...products,
  ...checkout,
  ...orders,
  ...collections,
  ...entries,
  ...newsletter,
  ...users,
  ...webhooks,
];
