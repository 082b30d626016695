/** Finds or makes the account of somebody that the identity provider vouches for. */

import type { Context } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { forgetTokensOf } from './one-time-tokens.ts';
import { recordEvent } from './security-events.ts';
import { endSessionsOf, type Subject } from './sessions.ts';

interface Vouched {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

interface UserRow extends Subject {
  is_confirmed: boolean;
}

export function personOf(ctx: Context, vouched: Vouched): Promise<Subject> {
  return ctx.db.transaction(async (tx) => {
    const [known] = await tx.sql<Subject>(
      `select u.id, u.email from identities i join users u on u.id = i.user_id where i.issuer = $1 and i.subject = $2`,
      [vouched.issuer, vouched.subject],
    );
    if (known) return known;
    const user = await userByEmail(tx, vouched);
    if (!user.is_confirmed) await takeOver(ctx, tx, user.id, vouched.name);
    await insertRow(tx, 'identities', {
      issuer: vouched.issuer,
      subject: vouched.subject,
      userId: user.id,
      createdAt: now(),
    });
    await recordEvent(ctx, tx, {
      type: 'IDENTITY_LINKED',
      userId: user.id,
      detail: { provider: 'OAUTH_IDP' },
    });
    return { id: user.id, email: user.email };
  });
}

/** Makes the account if there is none; the unique key decides between two first sign-ins at once. */
async function userByEmail(tx: Queries, { email, name }: Vouched): Promise<UserRow> {
  const id = newId();
  const made = await insertRow(tx, 'users', {
    id,
    email,
    name,
    isConfirmed: true,
    phoneNumbers: [],
    createdAt: now(),
    updatedAt: now(),
  });
  if (made) return { id, email, is_confirmed: true };
  const [user] = await tx.sql<UserRow>(
    'select id, email, is_confirmed from users where email = $1 for update',
    [email],
  );
  if (!user) throw new Error('The account was deleted at the same time.');
  return user;
}

/**
 * Whoever registered this address never proved that it is theirs, and may be somebody who lies in wait: their
 * password, name and links are dropped before the real owner moves in.
 */
async function takeOver(ctx: Context, tx: Queries, userId: string, name: string): Promise<void> {
  await tx.sql(
    `update users set is_confirmed = true, password_hash = null, name = $2, phone_numbers = '{}', verified_phones = '{}',
       addresses = '[]', updated_at = $3, version = version + 1 where id = $1`,
    [userId, name, now()],
  );
  await tx.sql('delete from api_tokens where user_id = $1', [userId]);
  await forgetTokensOf(tx, userId);
  await endSessionsOf(ctx, tx, userId);
}
