/** Settings of the request log of a business: recording of bodies, which ends by itself. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { now } from '../../lib/time.ts';
import { bodyRecordingDurationSeconds, maxLoggedRequestsPerBusiness } from './model.ts';

export interface RequestLogSettings {
  businessId: string;
  enabled: boolean;
  bodiesUntil?: number | undefined;
  retentionDays: number;
  maxRequests: number;
  skippedToday: number;
}

export async function findRequestLogSettings(ctx: Context, businessId: string): Promise<RequestLogSettings> {
  const stored = await ctx.db.prisma.requestLogSettings.findUnique({ where: { businessId } });
  const time = now();
  const bodiesUntil = Number(stored?.bodiesUntil ?? 0);
  const today = time - (time % 86_400);
  return {
    businessId,
    enabled: ctx.config.requestLog,
    bodiesUntil: bodiesUntil > time ? bodiesUntil : undefined,
    retentionDays: Math.ceil(ctx.config.retention.requestLog / 86_400),
    maxRequests: 2 * maxLoggedRequestsPerBusiness,
    skippedToday: Number(stored?.skippedDay ?? 0) === today ? Number(stored?.skippedCount) : 0,
  };
}

export async function updateRequestLogSettings(
  ctx: Context,
  businessId: string,
  { recordBodies }: { recordBodies: boolean },
): Promise<RequestLogSettings> {
  const bodiesUntil = recordBodies ? now() + bodyRecordingDurationSeconds : 0;
  await ctx.db.prisma.requestLogSettings.upsert({
    where: { businessId },
    create: { businessId, bodiesUntil },
    update: { bodiesUntil },
  });
  return findRequestLogSettings(ctx, businessId);
}

/** Ids of the businesses that record bodies at this time. */
export async function loadBodyRecordingBusinesses(
  { prisma }: QueryHandle,
  time: number,
): Promise<ReadonlySet<string>> {
  const rows = await prisma.requestLogSettings.findMany({
    where: { bodiesUntil: { gt: time } },
    select: { businessId: true },
    take: 10_000,
  });
  return new Set(rows.map(({ businessId }) => businessId));
}
