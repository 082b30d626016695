/**
 * Account erasure: deletes the usage counts of the API keys of a user.
 * Counts of clients without an API key carry no user id and stay until their retention ends.
 */
import type { Services } from '../../context.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../shared/personal-data/personal-data-eraser-registry.ts';

async function erase({ db }: Services, { userId }: ErasedPerson): Promise<void> {
  await db.prisma.usage.deleteMany({ where: { userId } });
}

registerPersonalDataEraser(erase);
