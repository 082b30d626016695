/** Phone number verification by SMS code: six digits, valid for ten minutes, five attempts. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { unauthenticatedError, validationError } from '../../../errors.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { derivePhoneCode, sendPhoneCodeJob } from '../messages/send-sms-jobs.ts';
import { accountRateLimitRules, buildClientNetworkRateLimitKey, enforceRateLimits } from '../rate-limits.ts';
import { badRequestWithDetail } from '../schemas.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { buildSignedInUserWhere } from './load-own-account.ts';

const codeSeconds = 600;
const maxAttempts = 5;

export async function sendPhoneCode(ctx: Context, { phoneNumber }: { phoneNumber: string }): Promise<void> {
  await assertCanSendPhoneCode(ctx, phoneNumber);
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  await ctx.db.transaction(async (tx) => {
    if ((await tx.prisma.user.count({ where: buildSignedInUserWhere(user) })) === 0)
      throw unauthenticatedError();
    await queuePhoneCode(ctx, tx, user.userId, phoneNumber);
  });
}

/** Counts one code against the rate limits. */
export async function assertCanSendPhoneCode(ctx: Context, phoneNumber: string): Promise<void> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  // Without an SMS service, messages are only captured for the sandbox: outside of it no user would receive the code.
  if (ctx.sms.embedded && !ctx.config.sandbox)
    throw badRequestWithDetail('No SMS service is configured.', {
      field: 'phoneNumber',
      error: 'NOT_CONFIGURED',
    });
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.phoneByAddress, buildClientNetworkRateLimitKey(ctx)],
    [accountRateLimitRules.phoneByAccount, user.userId],
    [accountRateLimitRules.phoneByNumber, phoneNumber],
    [{ name: 'sms-day', points: ctx.config.quotas.smsPerDay, seconds: 86_400 }, 'all'],
  );
}

/** Stores a new code; a job sends it after the commit. */
export async function queuePhoneCode(
  ctx: Context,
  tx: QueryHandle,
  userId: string,
  phoneNumber: string,
): Promise<void> {
  const messageId = newId();
  const code = derivePhoneCode(ctx.keys.secret, messageId);
  const key = { userId, phoneNumber };
  const fields = {
    codeHash: hashPhoneCode(ctx.keys.secret, key, code),
    expiresAt: now() + codeSeconds,
    tries: 0,
  };
  await tx.prisma.phoneCode.upsert({
    where: { userId_phoneNumber: key },
    create: { ...key, ...fields },
    update: fields,
  });
  await ctx.jobs.enqueue(tx, sendPhoneCodeJob, { messageId, to: phoneNumber });
}

export async function confirmPhoneNumber(
  ctx: Context,
  { phoneNumber, code }: { phoneNumber: string; code: string },
): Promise<void> {
  if (!ctx.viewer.accountUser) throw unauthenticatedError();
  const { userId } = ctx.viewer.accountUser;
  // Counts the attempt before comparing the code, so that concurrent requests cannot exceed five attempts.
  const [phoneCode] = await ctx.db.prisma.phoneCode.updateManyAndReturn({
    where: { userId, phoneNumber, tries: { lt: maxAttempts }, expiresAt: { gt: now() } },
    data: { tries: { increment: 1 } },
    select: { codeHash: true },
  });
  const codeHash = hashPhoneCode(ctx.keys.secret, { userId, phoneNumber }, code.trim());
  if (phoneCode?.codeHash !== codeHash) throw invalidCode();
  await ctx.db.transaction(async (tx) => {
    const used = await tx.prisma.phoneCode.deleteMany({ where: { userId, phoneNumber, codeHash } });
    if (used.count === 0) throw invalidCode();
    // The first statement is a write, which locks the row for the second one.
    const { phoneNumbers, verifiedPhones } = await tx.prisma.user.update({
      where: { id: userId },
      data: { updatedAt: now(), version: { increment: 1 } },
      select: { phoneNumbers: true, verifiedPhones: true },
    });
    await tx.prisma.user.update({
      where: { id: userId },
      data: {
        phoneNumbers: withItem(phoneNumbers, phoneNumber),
        verifiedPhones: withItem(verifiedPhones, phoneNumber),
      },
    });
    await recordSecurityEvent(ctx, tx, { type: 'PHONE_CONFIRMED', userId });
  });
}

const withItem = (list: readonly string[], item: string) => [...new Set([...list, item])];

/** Stored hash of a code. Includes user and number, so that the code is valid for that pair only. */
export const hashPhoneCode = (
  secret: Uint8Array,
  { userId, phoneNumber }: { userId: string; phoneNumber: string },
  code: string,
): string => hmacSha256Hex(secret, 'phone', userId, phoneNumber, code);

const invalidCode = () =>
  validationError(
    'code',
    'INVALID_CODE',
    'The code is wrong or has expired. After five wrong codes, request a new one.',
  );
