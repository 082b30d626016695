/** Creates the signed form for one upload, valid once and for 15 minutes. */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Services } from '../../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { assertWithinStorageQuota } from '../../shared/storage-and-record-quotas.ts';
import { mediaUploadsPathPrefix, type UploadForm } from '../model.ts';
import type { CreateUploadArgs } from '../schemas.ts';
import { toSafeFileName } from '../supported-media-types.ts';

const mediaUploadValiditySeconds = 15 * 60;
const maxOpenForms = 1000;

export async function createMediaUpload(
  ctx: Context,
  { businessId, input }: CreateUploadArgs,
): Promise<UploadForm> {
  const { user } = ctx.viewer;
  const { id, createdAt } = await runIdempotent(ctx, 'createUpload', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      const { fileName, contentType, size, alt = '' } = input;
      await assertOpenFormLimit(tx, businessId);
      await assertWithinStorageQuota(ctx, tx, businessId, size);
      const time = now();
      const created = { id: newId(), createdAt: time };
      await tx.prisma.mediaFile.create({
        data: {
          ...created,
          businessId,
          fileName: toSafeFileName(fileName, contentType),
          mimeType: contentType,
          size,
          alt,
          userId: user?.userId ?? null,
          keyId: user?.keyId ?? null,
          updatedAt: time,
        },
        select: { id: true },
      });
      return created;
    }),
  );
  return {
    mediaId: id,
    uploadUrl: `${ctx.config.publicUrl}${mediaUploadsPathPrefix}${id}`,
    fields: [{ name: 'token', value: uploadToken(ctx, id, createdAt) }],
    expiresAt: createdAt + mediaUploadValiditySeconds,
  };
}

/** Limits open upload forms per business. The lock serialises concurrent requests, so that each counts the forms before it. */
async function assertOpenFormLimit(tx: QueryHandle, businessId: string): Promise<void> {
  await takeAdvisoryLock(tx, `media-forms:${businessId}`);
  const openForms = await tx.prisma.mediaFile.count({
    where: { businessId, state: 'UPLOADING', createdAt: { gt: now() - mediaUploadValiditySeconds } },
  });
  if (openForms < maxOpenForms) return;
  const message = `A business can have at most ${maxOpenForms} open upload forms. Upload the files or wait until the forms expire.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '60' } });
}

const uploadToken = ({ keys }: Pick<Services, 'keys'>, id: string, createdAt: number): string =>
  hmacSha256Hex(keys.secret, 'media upload', id, String(createdAt));

/** Whether the token belongs to the upload form of the file and has not expired. */
export function isValidMediaUploadToken(
  services: Pick<Services, 'keys'>,
  { id, createdAt }: { id: string; createdAt: number },
  token: string,
): boolean {
  const expected = Buffer.from(uploadToken(services, id, createdAt));
  const actual = Buffer.from(token);
  return (
    actual.length === expected.length &&
    timingSafeEqual(actual, expected) &&
    now() < createdAt + mediaUploadValiditySeconds
  );
}
