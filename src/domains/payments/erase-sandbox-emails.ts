/** Removes the email addresses of people who are gone from payments of the sandbox. A real provider has to be asked to do so. */
import { registerEraser } from '../shared/erasure.ts';

registerEraser(async ({ db }, { contacts }) => {
  if (contacts.length === 0) return;
  await db.sql(
    `update sandbox_payments set request = request - 'customerEmail' where lower(request ->> 'customerEmail') = any($1::text[])`,
    [contacts],
  );
});
