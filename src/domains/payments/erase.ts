/** The sandbox was told whom to send a receipt. What a real provider knows about its customers is asked of the provider. */
import { addEraser } from '../shared/erasure.ts';

addEraser(async ({ db }, { contacts }) => {
  if (contacts.length === 0) return;
  await db.sql(
    `update sandbox_payments set request = request - 'customerEmail' where lower(request ->> 'customerEmail') = any($1::text[])`,
    [contacts],
  );
});
