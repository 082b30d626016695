/** A cart goes with the person whose it was. */
import type { Services } from '../../context.ts';
import { addEraser, type Gone } from '../shared/erasure.ts';

async function erase({ db }: Services, { userId }: Gone): Promise<void> {
  await db.sql('delete from carts where customer_id = $1', [userId]);
}

addEraser(erase);
