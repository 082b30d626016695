/** The context of an operation that goes on after the request: who asked for it, with what they may do by now. */
import { restoreViewer } from '../../../auth/viewer.ts';
import type { Context, Services } from '../../../context.ts';
import type { StoredBulkOperation } from '../model.ts';

export async function createRequesterContext(
  services: Services,
  operation: Pick<StoredBulkOperation, 'id' | 'userId' | 'keyId'>,
): Promise<Context> {
  const { id, userId, keyId } = operation;
  const author = {
    actor: keyId === null ? 'USER' : 'API_KEY',
    userId,
    keyId: keyId ?? undefined,
    requestId: id,
    protocol: 'JOB',
  } as const;
  return {
    ...services,
    db: services.db.withContext({ auditContext: author }),
    viewer: await restoreViewer(services.db, { userId, keyId: keyId ?? undefined }),
    request: {
      requestId: id,
      protocol: 'other',
      address: '',
      authorization: undefined,
      apiKey: undefined,
      idempotencyKey: undefined,
      clientName: undefined,
      consistencyToken: undefined,
      responseHeaders: {},
      operationCost: { cost: 0 },
    },
  };
}
