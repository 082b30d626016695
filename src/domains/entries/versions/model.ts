/** Stored version of an entry and its table. A database trigger writes the rows (prisma/migrations); the code only reads them. */
import { defineTable } from '../../../db/index.ts';
import type { EntryVersionModel } from '../../../generated/prisma/models.ts';
import type { AuditLogEntry } from '../../audit-log/model.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import type { ContentStatus } from '../../collections/model.ts';

export interface EntryVersion {
  id: string;
  entryId: string;
  version: number;
  locale: string;
  blocks: ValueBlock[];
  status: ContentStatus;
  actor: AuditLogEntry['actor'];
  userId?: string | undefined;
  createdAt: number;
}

export const entryVersionTable = defineTable<EntryVersion, EntryVersionModel>('entry_versions', 'v', {
  id: 'fixed',
  entryId: 'fixed',
  // Filled by a trigger where businesses can move to another server.
  businessId: 'apart',
  version: 'fixed',
  locale: 'fixed',
  blocks: 'json',
  status: 'fixed',
  actor: 'fixed',
  userId: 'fixed',
  createdAt: 'fixed',
});
