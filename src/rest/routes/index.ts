/** Every row of the REST table. */
import type { Row } from '../row.ts';
import { businessRows } from './businesses.ts';
import { contentRows } from './content.ts';
import { orderRows } from './orders.ts';
import { productRows } from './products.ts';
import { userRows } from './users.ts';
import { webhookRows } from './webhooks.ts';

export const rows: readonly Row[] = [
  ...businessRows,
  ...productRows,
  ...orderRows,
  ...contentRows,
  ...userRows,
  ...webhookRows,
];
