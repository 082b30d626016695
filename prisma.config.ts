import { defineConfig } from 'prisma/config';

// No engine is ever downloaded: generating needs none, and migrations run in-process (src/db/migrations/migrate.ts).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma' });
