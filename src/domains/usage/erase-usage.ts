/** What somebody's keys were used for goes with them. */
import type { Services } from '../../context.ts';
import { type ErasedPerson, registerEraser } from '../shared/erasure.ts';

async function erase({ db }: Services, { userId }: ErasedPerson): Promise<void> {
  await db.prisma.usage.deleteMany({ where: { userId } });
}

registerEraser(erase);
