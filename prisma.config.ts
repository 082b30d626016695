import { defineConfig } from 'prisma/config';

// Prevents the download of an engine: `prisma generate` needs none, and migrations run in-process (src/db/migrations/apply-and-list-migrations.ts).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma' });
