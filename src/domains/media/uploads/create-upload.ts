/** Makes the signed form with which one file may be uploaded, once, within a quarter of an hour. */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { takeAdvisoryLock } from '../../../db/transaction.ts';
import { AppError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { keyedDigest } from '../../../lib/crypto.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { mediaUploadsPath, type UploadForm } from '../model.ts';
import { toSafeFileName } from '../rules.ts';
import type { CreateUploadArgs } from '../schemas.ts';

export const uploadFormSeconds = 15 * 60;
const mostForms = 1000;

export async function createUpload(
  ctx: Context,
  { businessId, input }: CreateUploadArgs,
): Promise<UploadForm> {
  const { user } = ctx.viewer;
  const { id, createdAt } = await runIdempotent(ctx, 'createUpload', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      await claimForm(tx, businessId);
      const time = now();
      const made = { id: newId(), createdAt: time };
      const { fileName, contentType, size, alt = '' } = input;
      await tx.prisma.mediaFile.create({
        data: {
          ...made,
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
      return made;
    }),
  );
  return {
    mediaId: id,
    uploadUrl: `${ctx.config.publicUrl}${mediaUploadsPath}${id}`,
    fields: [{ name: 'token', value: tokenOf(ctx, id, createdAt) }],
    expiresAt: createdAt + uploadFormSeconds,
  };
}

/** Forms whose file may come later or never: of those who ask at the same time, each counts the ones before. */
async function claimForm(tx: Queries, businessId: string): Promise<void> {
  await takeAdvisoryLock(tx, `media-forms:${businessId}`);
  const open = await tx.prisma.mediaFile.count({
    where: { businessId, state: 'UPLOADING', createdAt: { gt: now() - uploadFormSeconds } },
  });
  if (open < mostForms) return;
  const message = `At most ${mostForms} files can be announced at a time before they are sent.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '60' } });
}

const tokenOf = ({ keys }: Pick<Services, 'keys'>, id: string, createdAt: number): string =>
  keyedDigest(keys.secret, 'media upload', id, String(createdAt));

/** Whether this is the token of the form that was made for the file, and still in time. */
export function isValidMediaUploadToken(
  services: Pick<Services, 'keys'>,
  { id, createdAt }: { id: string; createdAt: number },
  token: string,
): boolean {
  const wanted = Buffer.from(tokenOf(services, id, createdAt));
  const given = Buffer.from(token);
  return (
    given.length === wanted.length && timingSafeEqual(given, wanted) && now() < createdAt + uploadFormSeconds
  );
}
