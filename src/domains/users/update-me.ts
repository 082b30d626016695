/** Changes the fields of the viewer's own account that were sent. Roles and permissions are not among them. */
import type { Context } from '../../context.ts';
import { asDocument } from '../../db/json.ts';
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid, unauthenticated } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { existingBusinesses } from '../businesses/businesses.ts';
import { replaceApiTokens } from './api-tokens.ts';
import { stillSignedIn } from './me.ts';
import type { BusinessUserConfig, User } from './model.ts';
import { expectMaySendCode, queuePhoneCode } from './phones.ts';
import type { UpdateMe } from './profile-checks.ts';
import { readSelf } from './read-users.ts';

export async function updateMe(ctx: Context, { input, version }: UpdateMe): Promise<User> {
  const { person: user } = ctx.viewer;
  if (!user) throw unauthenticated();
  if (input.phoneNumber !== undefined) await expectMaySendCode(ctx, input.phoneNumber);
  return ctx.db.transaction(async (tx) => {
    // The first statement is a write, so that the row is locked for what follows.
    const [current] = await tx.prisma.user.updateManyAndReturn({
      where: stillSignedIn(user),
      data: { updatedAt: now() },
      select: { id: true, email: true, version: true, isGuest: true, verifiedPhones: true },
    });
    if (!current) throw unauthenticated();
    expectVersion(current.version, version);
    const { name, phoneNumbers, addresses, businessUserConfigs, apiTokens, lifecycle } = input;
    if (input.phoneNumber !== undefined) await queuePhoneCode(ctx, tx, user.userId, input.phoneNumber);
    if (businessUserConfigs) await refuseUnknownBusinesses(tx, businessUserConfigs);
    if (apiTokens) await replaceApiTokens(ctx, tx, current, apiTokens);
    await tx.prisma.user.update({
      where: { id: user.userId },
      data: {
        version: { increment: 1 },
        ...(name === undefined ? {} : { name }),
        ...(phoneNumbers ? withPhones(phoneNumbers, current.verifiedPhones) : {}),
        ...(addresses ? { addresses: asDocument(addresses) } : {}),
        ...(businessUserConfigs ? { businessUserConfigs: asDocument(businessUserConfigs) } : {}),
        ...(lifecycle?.onboardingCompleted === undefined
          ? {}
          : { onboardingCompleted: lifecycle.onboardingCompleted }),
      },
      select: { id: true },
    });
    const me = await readSelf(tx, { id: user.userId });
    if (!me) throw unauthenticated();
    return me;
  });
}

/** A number that is no longer there is no longer verified. */
const withPhones = (phoneNumbers: string[], verified: readonly string[]) => ({
  phoneNumbers,
  verifiedPhones: verified.filter((phone) => phoneNumbers.includes(phone)),
});

async function refuseUnknownBusinesses(
  tx: Queries,
  configs: readonly Pick<BusinessUserConfig, 'businessId'>[],
): Promise<void> {
  const known = await existingBusinesses(
    tx,
    configs.map(({ businessId }) => businessId),
  );
  const faults = configs.flatMap(({ businessId }, index): ErrorDetail[] =>
    known.has(businessId.toLowerCase())
      ? []
      : [
          {
            field: `businessUserConfigs.${index}.businessId`,
            error: 'BUSINESS_NOT_FOUND',
            message: 'There is no such business.',
          },
        ],
  );
  if (faults.length > 0) throw invalid(...faults);
}
