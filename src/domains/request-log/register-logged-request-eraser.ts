/**
 * Account erasure: deletes the logged requests of a user.
 * Requests of anonymous callers carry no user id and stay until their retention ends.
 */
import type { Services } from '../../context.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../shared/personal-data/personal-data-eraser-registry.ts';

async function erase({ db }: Services, { userId }: ErasedPerson): Promise<void> {
  await db.write('delete from request_log where user_id = $1::uuid', [userId]);
}

registerPersonalDataEraser(erase);
