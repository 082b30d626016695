/** `updateMe`: updates the fields of the viewer's account that are present in the input. Roles cannot be changed here. */
import type { Context } from '../../../context.ts';
import { businessServersOf, type QueryHandle, toPrismaJson } from '../../../db/index.ts';
import { type ErrorDetail, unauthenticatedError, validationErrorFrom } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { filterExistingBusinessIds } from '../../businesses/manage-businesses.ts';
import type { BusinessUserConfig, User } from '../model.ts';
import { loadUserWithFieldsForSelf } from '../people/load-users-with-visible-fields.ts';
import { buildSignedInUserWhere } from './load-own-account.ts';
import { replaceApiKeys } from './manage-api-keys.ts';
import type { UpdateMeArgs } from './update-me-schema.ts';
import { assertCanSendPhoneCode, queuePhoneCode } from './verify-phone-numbers.ts';

export async function updateMe(ctx: Context, { input, version }: UpdateMeArgs): Promise<User> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  if (input.phoneNumber !== undefined) await assertCanSendPhoneCode(ctx, input.phoneNumber);
  return ctx.db.transaction(async (tx) => {
    // The first statement is a write, which locks the user row for the following ones (`replaceApiKeys` relies on it).
    const [current] = await tx.prisma.user.updateManyAndReturn({
      where: buildSignedInUserWhere(user),
      data: { updatedAt: now() },
      select: { id: true, email: true, version: true, isGuest: true, verifiedPhones: true },
    });
    if (!current) throw unauthenticatedError();
    assertExpectedVersion(current.version, version);
    const { name, phoneNumbers, addresses, businessUserConfigs, apiTokens, lifecycle } = input;
    if (input.phoneNumber !== undefined) await queuePhoneCode(ctx, tx, user.userId, input.phoneNumber);
    if (businessUserConfigs) await assertBusinessesExist(tx, businessUserConfigs);
    if (apiTokens) await replaceApiKeys(ctx, tx, current, apiTokens);
    await tx.prisma.user.update({
      where: { id: user.userId },
      data: {
        version: { increment: 1 },
        ...(name === undefined ? {} : { name }),
        ...(phoneNumbers ? withPhones(phoneNumbers, current.verifiedPhones) : {}),
        ...(addresses ? { addresses: toPrismaJson(addresses) } : {}),
        ...(businessUserConfigs ? { businessUserConfigs: toPrismaJson(businessUserConfigs) } : {}),
        ...(lifecycle?.onboardingCompleted === undefined
          ? {}
          : { onboardingCompleted: lifecycle.onboardingCompleted }),
      },
      select: { id: true },
    });
    const me = await loadUserWithFieldsForSelf(tx, { id: user.userId });
    if (!me) throw unauthenticatedError();
    return me;
  });
}

/** Removing a number also removes its verification. */
const withPhones = (phoneNumbers: string[], verified: readonly string[]) => ({
  phoneNumbers,
  verifiedPhones: verified.filter((phone) => phoneNumbers.includes(phone)),
});

async function assertBusinessesExist(
  tx: QueryHandle,
  configs: readonly Pick<BusinessUserConfig, 'businessId'>[],
): Promise<void> {
  const ids = configs.map(({ businessId }) => businessId);
  const existingIds = new Set<string>();
  for (const server of businessServersOf(tx))
    for (const id of await filterExistingBusinessIds(server, ids)) existingIds.add(id);
  const errors = configs.flatMap(({ businessId }, index): ErrorDetail[] =>
    existingIds.has(businessId.toLowerCase())
      ? []
      : [
          {
            field: `businessUserConfigs.${index}.businessId`,
            error: 'BUSINESS_NOT_FOUND',
            message: 'The business does not exist.',
          },
        ],
  );
  if (errors.length > 0) throw validationErrorFrom(errors);
}
