/** Changes the fields of the viewer's own account that were sent. What they are allowed is not theirs to change. */
import { isStillSignedIn } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, unauthenticated } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { replaceApiTokens } from './api-tokens.ts';
import type { UpdateMe } from './checks.ts';
import { findMe } from './me.ts';
import type { User } from './model.ts';

export function updateMe(ctx: Context, { input, version }: UpdateMe): Promise<User> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticated();
  return ctx.db.transaction(async (tx) => {
    const [current] = await tx.sql<{ version: number; is_guest: boolean }>(
      `select u.version, u.is_guest from users u where ${isStillSignedIn('$1', '$2')} for update`,
      [user.userId, user.sessionId ?? null],
    );
    if (!current) throw unauthenticated();
    expectVersion(current.version, version);
    if (input.businessUserConfigs) await refuseUnknownBusinesses(tx, input.businessUserConfigs);
    if (input.apiTokens) await replaceApiTokens(ctx, tx, user.userId, input.apiTokens, current.is_guest);
    await tx.sql(
      `update users set name = coalesce($2, name), phone_numbers = coalesce($3::text[], phone_numbers),
         verified_phones = array(select phone from unnest(verified_phones) phone
           where $3::text[] is null or phone = any($3::text[])),
         addresses = coalesce($4::jsonb, addresses), business_user_configs = coalesce($5::jsonb, business_user_configs),
         onboarding_completed = coalesce($6, onboarding_completed), updated_at = $7, version = version + 1
       where id = $1`,
      [
        user.userId,
        input.name ?? null,
        input.phoneNumbers ?? null,
        jsonOrNull(input.addresses),
        jsonOrNull(input.businessUserConfigs),
        input.lifecycle?.onboardingCompleted ?? null,
        now(),
      ],
    );
    return findMe(ctx, tx);
  });
}

const jsonOrNull = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

async function refuseUnknownBusinesses(
  tx: Queries,
  configs: readonly { businessId: string }[],
): Promise<void> {
  const found = await tx.sql<{ id: string }>('select id from businesses where id = any($1::uuid[])', [
    configs.map(({ businessId }) => businessId),
  ]);
  const known = new Set(found.map(({ id }) => id));
  const faults = configs.flatMap(({ businessId }, index) =>
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
