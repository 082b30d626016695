/** Erases the personal data of deleted accounts in all domains. Restartable: pending erasures are rows of `erasures`. */
import { deleteAccountPlaceholderRow } from '../../../auth/account-placeholder-rows.ts';
import type { Services } from '../../../context.ts';
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import { erasePersonFromIdempotencyKeys } from '../../../idempotency.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { deleteCapturedMessages } from '../../shared/delete-captured-messages.ts';
import { runAccountDeletionHooks } from '../../shared/personal-data/account-deletion-hook-registry.ts';
import {
  type ErasedPerson,
  runPersonalDataErasers,
} from '../../shared/personal-data/personal-data-eraser-registry.ts';

/** Requests that began before the deletion have ended by then, so that no personal data is written any more. */
const settleSeconds = 600;
const batchSize = 50;

/**
 * Call it before deleting the account, in the same transaction: it stores the contacts that cannot be looked up afterwards, and returns
 * them.
 */
export async function scheduleUserErasure(
  services: Services,
  tx: QueryHandle,
  userId: string,
): Promise<readonly string[]> {
  const user = await tx.prisma.user.findUnique({
    where: { id: userId },
    select: {
      email: true,
      isConfirmed: true,
      verifiedPhones: true,
      phoneCodes: { select: { phoneNumber: true } },
    },
  });
  if (!user) return [];
  // Only confirmed addresses: otherwise an attacker could have another person's mails erased by registering their address.
  const emails = user.isConfirmed && user.email !== null ? [user.email.toLowerCase()] : [];
  const contacts = [...emails, ...user.verifiedPhones, ...user.phoneCodes.map((code) => code.phoneNumber)];
  await tx.prisma.erasure.createMany({ data: [{ userId, contacts }], skipDuplicates: true });
  await tx.prisma.loginCode.deleteMany({ where: { email: { in: emails } } });
  await runAccountDeletionHooks(services, tx, { userId, contacts });
  await services.jobs.enqueue(tx, eraseUsersJob, {});
  return contacts;
}

/** Two hourly runs of the job have passed. */
const overdueSeconds = 7200;

/** Erasures that their job should have run by now, and has not. */
export const loadOverdueErasures = (queries: QueryHandle): Promise<Omit<ErasedPerson, 'userId'>[]> =>
  accountsOf(queries).prisma.erasure.findMany({
    where: { goneAt: { lt: new Date((now() - overdueSeconds) * 1000) }, contacts: { isEmpty: false } },
    select: { contacts: true, goneAt: true },
  });

async function erasePending(services: Services): Promise<void> {
  const { erasure } = services.db.prisma;
  for (let after: string | undefined; ; ) {
    const pending = await erasure.findMany({
      ...(after === undefined ? {} : { where: { userId: { gt: after } } }),
      orderBy: { userId: 'asc' },
      take: batchSize,
    });
    for (const { userId, contacts, goneAt } of pending) {
      for (const server of services.servers?.all ?? [services])
        await erasePerson(server, { userId, contacts, goneAt });
      const isSettled = goneAt.getTime() < (now() - settleSeconds) * 1000;
      if (isSettled) await erasure.deleteMany({ where: { userId } });
      else await erasure.updateMany({ where: { userId }, data: { contacts: [] } });
    }
    after = pending.at(-1)?.userId;
    if (after === undefined || pending.length < batchSize) return;
  }
}

async function erasePerson(services: Services, person: ErasedPerson): Promise<void> {
  const { db, jobs } = services;
  // Requests that began before the deletion may have assigned a role or a group since.
  await deleteAccountPlaceholderRow(db, person.userId);
  await runPersonalDataErasers(services, person);
  // The audit log of a business keeps the event with its actor id, without the network address.
  await db.prisma.securityEvent.updateMany({
    where: { actorId: person.userId, address: { not: '' } },
    data: { address: '' },
  });
  await db.prisma.securityEvent.deleteMany({ where: { userId: person.userId, businessId: null } });
  await erasePersonFromIdempotencyKeys(db, person);
  if (person.contacts.length === 0) return;
  await jobs.deleteForAddresses(db, person.contacts, person.goneAt);
  await deleteCapturedMessages(db, person.contacts, person.goneAt);
}

/** Without data: the work is in the `erasures` table. The hourly run retries what an earlier run has not completed. */
export const eraseUsersJob = defineJob('users.erase', noJobDataSchema, erasePending, {
  cron: '41 * * * *',
  timeout: 900,
});
