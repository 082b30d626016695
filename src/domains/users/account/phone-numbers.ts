/** Phone numbers are the user's when they can read what was sent there: six digits, ten minutes, five tries. */
import { randomInt } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { unauthenticatedError, validationError } from '../../../errors.ts';
import { keyedDigest } from '../../../lib/crypto.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { recordSecurityEvent } from '../audit/security-events.ts';
import { sendSmsJob } from '../messages/sms-job.ts';
import { accountLimitRules, clientNetworkKey, enforceLimits } from '../rate-limits.ts';
import { badRequestWithDetail } from '../schemas.ts';
import { signedInUserWhere } from './me.ts';

const seconds = 600;
const maxTries = 5;

export async function sendPhoneCode(ctx: Context, { phoneNumber }: { phoneNumber: string }): Promise<void> {
  await assertCanSendPhoneCode(ctx, phoneNumber);
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  await ctx.db.transaction(async (tx) => {
    if ((await tx.prisma.user.count({ where: signedInUserWhere(user) })) === 0) throw unauthenticatedError();
    await queuePhoneCode(ctx, tx, user.userId, phoneNumber);
  });
}

/** Counts as a code that was sent. */
export async function assertCanSendPhoneCode(ctx: Context, phoneNumber: string): Promise<void> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  // A code that only the outbox gets would reach nobody, or everybody.
  if (ctx.sms.embedded && !ctx.config.sandbox)
    throw badRequestWithDetail('No service for text messages is configured.', {
      field: 'phoneNumber',
      error: 'NOT_CONFIGURED',
    });
  await enforceLimits(
    ctx,
    [accountLimitRules.phoneByAddress, clientNetworkKey(ctx)],
    [accountLimitRules.phoneByAccount, user.userId],
    [accountLimitRules.phoneByNumber, phoneNumber],
  );
}

/** The code is sent when the transaction is committed. */
export async function queuePhoneCode(
  ctx: Context,
  tx: Queries,
  userId: string,
  phoneNumber: string,
): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const at = { userId, phoneNumber };
  const fresh = { codeHash: hashPhoneCode(ctx.keys.secret, at, code), expiresAt: now() + seconds, tries: 0 };
  await tx.prisma.phoneCode.upsert({
    where: { userId_phoneNumber: at },
    create: { ...at, ...fresh },
    update: fresh,
  });
  await ctx.jobs.enqueue(tx, sendSmsJob, {
    messageId: newId(),
    to: phoneNumber,
    text: `Your code is ${code}. It is valid for ten minutes. Never give it to anybody.`,
  });
}

export async function confirmPhoneNumber(
  ctx: Context,
  { phoneNumber, code }: { phoneNumber: string; code: string },
): Promise<void> {
  if (!ctx.viewer.accountUser) throw unauthenticatedError();
  const { userId } = ctx.viewer.accountUser;
  // The try is counted before the code is compared, so that many at once are still five.
  const [sent] = await ctx.db.prisma.phoneCode.updateManyAndReturn({
    where: { userId, phoneNumber, tries: { lt: maxTries }, expiresAt: { gt: now() } },
    data: { tries: { increment: 1 } },
    select: { codeHash: true },
  });
  const codeHash = hashPhoneCode(ctx.keys.secret, { userId, phoneNumber }, code.trim());
  if (sent?.codeHash !== codeHash) throw invalidCode();
  await ctx.db.transaction(async (tx) => {
    const used = await tx.prisma.phoneCode.deleteMany({ where: { userId, phoneNumber, codeHash } });
    if (used.count === 0) throw invalidCode();
    // The first statement is a write, so that the row is locked for the second.
    const { phoneNumbers, verifiedPhones } = await tx.prisma.user.update({
      where: { id: userId },
      data: { updatedAt: now(), version: { increment: 1 } },
      select: { phoneNumbers: true, verifiedPhones: true },
    });
    await tx.prisma.user.update({
      where: { id: userId },
      data: {
        phoneNumbers: withOne(phoneNumbers, phoneNumber),
        verifiedPhones: withOne(verifiedPhones, phoneNumber),
      },
    });
    await recordSecurityEvent(ctx, tx, { type: 'PHONE_CONFIRMED', userId });
  });
}

const withOne = (list: readonly string[], item: string) => [...new Set([...list, item])];

/** A code as it is kept: good for one number of one account. */
export const hashPhoneCode = (
  secret: Uint8Array,
  { userId, phoneNumber }: { userId: string; phoneNumber: string },
  code: string,
): string => keyedDigest(secret, 'phone', userId, phoneNumber, code);

const invalidCode = () =>
  validationError({
    field: 'code',
    error: 'INVALID_CODE',
    message: 'The code is wrong or no longer valid. After five wrong ones, ask for a new one.',
  });
