/** What somebody's keys were used for goes with them. */
import type { Services } from '../../context.ts';
import { addEraser, type Gone } from '../shared/erasure.ts';

async function erase({ db }: Services, { userId }: Gone): Promise<void> {
  await db.prisma.usage.deleteMany({ where: { userId } });
}

addEraser(erase);
