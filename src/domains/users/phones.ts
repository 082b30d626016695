/** Phone numbers are the user's when they can read what was sent there: six digits, ten minutes, five tries. */
import { randomInt } from 'node:crypto';
import { keyedDigest } from '../../auth/secrets.ts';
import { isStillSignedIn } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { invalid, unauthenticated } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { addressKey, limit, rules } from './limits.ts';
import { recordEvent } from './security-events.ts';
import { smsJob } from './texts.ts';

const seconds = 600;
const maxTries = 5;

export async function sendPhoneCode(ctx: Context, { phoneNumber }: { phoneNumber: string }): Promise<void> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticated();
  await limit(
    ctx,
    [rules.phoneByAddress, addressKey(ctx)],
    [rules.phoneByAccount, user.userId],
    [rules.phoneByNumber, phoneNumber],
  );
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await ctx.db.transaction(async (tx) => {
    const sent = await tx.sql(
      `insert into phone_codes (user_id, phone_number, code_hash, expires_at)
       select u.id, $3, $4, $5 from users u where ${isStillSignedIn('$1', '$2')}
       on conflict (user_id, phone_number) do update
         set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0
       returning 1`,
      [user.userId, user.sessionId ?? null, phoneNumber, hashOf(ctx, phoneNumber, code), now() + seconds],
    );
    if (sent.length === 0) throw unauthenticated();
    await ctx.jobs.enqueue(tx, smsJob, {
      messageId: newId(),
      to: phoneNumber,
      text: `Your code is ${code}. It is valid for ten minutes. Never give it to anybody.`,
    });
  });
}

export async function confirmPhone(
  ctx: Context,
  { phoneNumber, code }: { phoneNumber: string; code: string },
): Promise<void> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticated();
  // The try is counted before the code is compared, so that many at once are still five.
  const [sent] = await ctx.db.sql<{ code_hash: string }>(
    `update phone_codes set tries = tries + 1
     where user_id = $1 and phone_number = $2 and tries < $3 and expires_at > $4 returning code_hash`,
    [user.userId, phoneNumber, maxTries, now()],
  );
  const hash = hashOf(ctx, phoneNumber, code.trim());
  if (sent?.code_hash !== hash) throw invalidCode();
  await ctx.db.transaction(async (tx) => {
    const used = await tx.sql(
      'delete from phone_codes where user_id = $1 and phone_number = $2 and code_hash = $3 returning 1',
      [user.userId, phoneNumber, hash],
    );
    if (used.length === 0) throw invalidCode();
    await tx.sql(
      `update users set updated_at = $3, version = version + 1,
         phone_numbers = case when $2 = any(phone_numbers) then phone_numbers else phone_numbers || $2::text end,
         verified_phones = case when $2 = any(verified_phones) then verified_phones else verified_phones || $2::text end
       where id = $1`,
      [user.userId, phoneNumber, now()],
    );
    await recordEvent(ctx, tx, { type: 'PHONE_CONFIRMED', userId: user.userId });
  });
}

const hashOf = (ctx: Context, phoneNumber: string, code: string) =>
  keyedDigest(ctx.keys.secret, 'phone', ctx.viewer.user?.userId ?? '', phoneNumber, code);

const invalidCode = () =>
  invalid({
    field: 'code',
    error: 'INVALID_CODE',
    message: 'The code is wrong or no longer valid. After five wrong ones, ask for a new one.',
  });
