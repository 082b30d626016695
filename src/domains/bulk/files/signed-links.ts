/** The signed addresses of files: one to send the file of an import to, one to fetch the file of an export from. */
import { timingSafeEqual } from 'node:crypto';
import type { Viewer, ViewerIdentity } from '../../../auth/viewer.ts';
import type { Services } from '../../../context.ts';
import { keyedDigest } from '../../../lib/crypto.ts';
import { now } from '../../../lib/time.ts';
import { type BulkOperation, type BulkUpload, finalBulkStates, type StoredBulkOperation } from '../model.ts';

/** Below this the files of imports come in. */
export const bulkUploadsPath = '/bulk/uploads/';
/** Below this the files of exports are. */
export const bulkResultsPath = '/bulk/results/';

export const bulkUploadSeconds = 60 * 60;
const resultSeconds = 15 * 60;

type Signing = Pick<Services, 'keys'>;
type Made = Pick<StoredBulkOperation, 'id' | 'createdAt'>;

const uploadToken = ({ keys }: Signing, { id, createdAt }: Made) =>
  keyedDigest(keys.secret, 'bulk upload', id, String(createdAt));

/** Whose address it is, and until when. */
export interface BulkResultLink extends ViewerIdentity {
  id: string;
  expires: number;
}

const resultSignature = ({ keys }: Signing, { id, expires, userId, keyId }: BulkResultLink) =>
  keyedDigest(keys.secret, 'bulk result', JSON.stringify([id, expires, userId, keyId ?? null]));

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether this is the token of the form for the file, and still in time. */
export const isValidUploadToken = (signing: Signing, operation: Made, token: string): boolean =>
  isSame(token, uploadToken(signing, operation)) && now() < operation.createdAt + bulkUploadSeconds;

export const isValidResultSignature = (signing: Signing, link: BulkResultLink, signature: string): boolean =>
  Number.isSafeInteger(link.expires) &&
  isSame(signature, resultSignature(signing, link)) &&
  now() < link.expires;

type Linking = Signing & Pick<Services, 'config'> & { readonly viewer?: Viewer };

function uploadFor(services: Linking, operation: StoredBulkOperation): BulkUpload | undefined {
  if (operation.state !== 'UPLOADING') return undefined;
  return {
    uploadUrl: `${services.config.publicUrl}${bulkUploadsPath}${operation.id}`,
    fields: [{ name: 'token', value: uploadToken(services, operation) }],
    expiresAt: operation.createdAt + bulkUploadSeconds,
  };
}

function resultFor(services: Linking, { id, kind, state }: StoredBulkOperation): string | undefined {
  const { user } = services.viewer ?? {};
  if (kind !== 'EXPORT' || state !== 'COMPLETED' || !user) return undefined;
  const { userId, keyId } = user;
  const expires = now() + resultSeconds;
  const query = new URLSearchParams({
    expires: String(expires),
    user: userId,
    ...(keyId === undefined ? {} : { key: keyId }),
    signature: resultSignature(services, { id, expires, userId, keyId }),
  });
  return `${services.config.publicUrl}${bulkResultsPath}${id}?${query}`;
}

/** The operation as callers see it. */
export function toBulkOperation(services: Linking, operation: StoredBulkOperation): BulkOperation {
  const { id, businessId, kind, resource, format, state, userId, done, failed } = operation;
  return {
    ...{ id, businessId, kind, resource, format, state, userId, done, failed },
    collectionId: operation.collectionId ?? undefined,
    total: operation.total ?? undefined,
    progress: progressOf(operation),
    reason: operation.reason ?? undefined,
    upload: uploadFor(services, operation),
    resultUrl: resultFor(services, operation),
    createdAt: operation.createdAt,
    updatedAt: Number(operation.updatedAt),
    finishedAt: operation.finishedAt === null ? undefined : Number(operation.finishedAt),
  };
}

/** In whole per cent: of the bytes that are read, or of the records that are written. 100 is kept for the end. */
function progressOf({ kind, state, position, size, done, total }: StoredBulkOperation): number {
  if (state === 'COMPLETED') return 100;
  const part = kind === 'IMPORT' ? position / Math.max(1, size) : done / Math.max(1, total ?? 0);
  return total === null && kind === 'EXPORT'
    ? 0
    : Math.min(finalBulkStates.includes(state) ? 100 : 99, Math.floor(part * 100));
}
