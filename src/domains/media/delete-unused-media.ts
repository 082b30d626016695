/** Retention job that deletes media files without references after the configured retention period. A foreign key prevents deletion of files in use. */
import type { Services } from '../../context.ts';
import { classifyDbError } from '../../db/index.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../ports/jobs.ts';
import { removeMediaFileJob } from './remove-stored-files.ts';

const batchSize = 500;

const markStatement = `insert into media_unused (media_id, since)
  select m.id, $1 from media m
  where m.state <> 'UPLOADING' and not exists (select 1 from media_uses u where u.media_id = m.id)
    and not exists (select 1 from media_unused u where u.media_id = m.id)
  limit ${batchSize} for key share of m
  on conflict do nothing returning 1`;

const unmarkStatement = `delete from media_unused n using media_uses u where u.media_id = n.media_id`;

const dueStatement = `select media_id as id from media_unused
  where since <= $1 and media_id > $2 order by media_id limit ${batchSize}`;

/** A concurrent transaction that references the file holds a key-share lock: this statement waits for it and fails with a foreign key error if it commits. */
const deleteStatement = `delete from media m where m.id = $1
  and not exists (select 1 from media_uses u where u.media_id = m.id) returning m.business_id as "businessId"`;

const zeroId = '00000000-0000-0000-0000-000000000000';

type RetentionServices = Pick<Services, 'db' | 'jobs' | 'config'>;

export async function deleteUnusedMedia(services: RetentionServices): Promise<void> {
  const { db, config } = services;
  await db.write(unmarkStatement);
  for (let marked = batchSize; marked === batchSize; )
    marked = (await db.write(markStatement, [now()])).length;
  for (let after = zeroId; ; ) {
    const due = await db.sql<{ id: string }>(dueStatement, [now() - config.retention.media, after]);
    for (const { id } of due) await deleteFile(services, id);
    const last = due.at(-1);
    if (last === undefined || due.length < batchSize) return;
    after = last.id;
  }
}

async function deleteFile({ db, jobs }: RetentionServices, id: string): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const [deletedRow] = await tx.write<{ businessId: string }>(deleteStatement, [id]);
      if (deletedRow) await jobs.enqueue(tx, removeMediaFileJob, { ...deletedRow, id });
    });
  } catch (error) {
    if (classifyDbError(error)?.kind !== 'foreignKey') throw error;
  }
}

export const deleteUnusedMediaJob = defineJob('media-unused', noJobDataSchema, deleteUnusedMedia, {
  cron: '17 * * * *',
  retries: 0,
  timeout: 3000,
});
