/**
 * Account erasure: removes the email addresses of deleted accounts from sandbox payments.
 * Data at a real provider must be erased there.
 */
import { registerPersonalDataEraser } from '../shared/personal-data/personal-data-eraser-registry.ts';

registerPersonalDataEraser(async ({ db }, { contacts }) => {
  if (contacts.length === 0) return;
  await db.write(
    `update sandbox_payments set request = request - 'customerEmail' where lower(request ->> 'customerEmail') = any($1::text[])`,
    [contacts],
  );
});
