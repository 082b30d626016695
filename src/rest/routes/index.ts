/** Every row of the REST table. */
import type { Row } from '../row.ts';
import { businessRows } from './businesses.ts';
import { contentRows } from './content.ts';
import { productRows } from './products.ts';

export const rows: readonly Row[] = [...businessRows, ...productRows, ...contentRows];
