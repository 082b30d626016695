/** The context of an operation that goes on after the request: who asked for it, with what they may do by now. */
import { viewerLater } from '../../auth/viewer.ts';
import type { Context, Services } from '../../context.ts';
import type { StoredBulk } from './model.ts';

export async function askerOf(
  services: Services,
  operation: Pick<StoredBulk, 'id' | 'userId' | 'keyId'>,
): Promise<Context> {
  const { id, userId, keyId } = operation;
  const author = {
    actor: keyId === null ? 'USER' : 'API_KEY',
    userId,
    keyId: keyId ?? undefined,
    requestId: id,
    voice: 'JOB',
  } as const;
  return {
    ...services,
    db: services.db.on({ author }),
    viewer: await viewerLater(services.db, { userId, keyId: keyId ?? undefined }),
    request: {
      requestId: id,
      voice: 'other',
      address: '',
      authorization: undefined,
      apiKey: undefined,
      idempotencyKey: undefined,
      clientName: undefined,
      consistencyToken: undefined,
      answerHeaders: {},
      spent: { cost: 0 },
    },
  };
}
