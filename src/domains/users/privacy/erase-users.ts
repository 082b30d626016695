/** Removes the traces of people whose account is gone, wherever they are. Killed in between, it goes on where it was. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { erasePersonFromIdempotencyKeys } from '../../../idempotency.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { deleteCapturedMessages } from '../../shared/captured-messages.ts';
import { type ErasedPerson, runErasers } from '../../shared/erasure.ts';

/** Requests that began before the account went have ended by then: nobody writes new traces. */
const settledSeconds = 600;
const batch = 50;

/** Before the account itself goes, in the same transaction: what would no longer be found afterwards. */
export async function scheduleErasure({ jobs }: Services, tx: Queries, userId: string): Promise<void> {
  const user = await tx.prisma.user.findUnique({
    where: { id: userId },
    select: {
      email: true,
      isConfirmed: true,
      verifiedPhones: true,
      phoneCodes: { select: { phoneNumber: true } },
    },
  });
  if (!user) return;
  // Only what is proved: nobody can have the mails of others removed by giving their address.
  const emails = user.isConfirmed && user.email !== null ? [user.email.toLowerCase()] : [];
  const contacts = [...emails, ...user.verifiedPhones, ...user.phoneCodes.map((code) => code.phoneNumber)];
  await tx.prisma.erasure.createMany({
    data: [{ userId, contacts }],
    skipDuplicates: true,
  });
  await tx.prisma.loginCode.deleteMany({ where: { email: { in: emails } } });
  await jobs.enqueue(tx, eraseUsersJob, {});
}

async function eraseTraces(services: Services): Promise<void> {
  const { erasure } = services.db.prisma;
  for (let after: string | undefined; ; ) {
    const waiting = await erasure.findMany({
      ...(after === undefined ? {} : { where: { userId: { gt: after } } }),
      orderBy: { userId: 'asc' },
      take: batch,
    });
    for (const { userId, contacts, goneAt } of waiting) {
      await eraseOne(services, { userId, contacts, goneAt });
      const isSettled = goneAt.getTime() < (now() - settledSeconds) * 1000;
      if (isSettled) await erasure.deleteMany({ where: { userId } });
      else await erasure.updateMany({ where: { userId }, data: { contacts: [] } });
    }
    after = waiting.at(-1)?.userId;
    if (after === undefined || waiting.length < batch) return;
  }
}

async function eraseOne(services: Services, person: ErasedPerson): Promise<void> {
  const { db, jobs } = services;
  await runErasers(services, person);
  // The trail of a business says that somebody did something, and no longer from where.
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

/** A nudge: who is waiting is in a table. The clock finds what a failure left behind. */
export const eraseUsersJob = defineJob('users.erase', noJobData, eraseTraces, {
  cron: '41 * * * *',
  timeout: 900,
});
