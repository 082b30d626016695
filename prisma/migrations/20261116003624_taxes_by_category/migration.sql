-- AlterTable
ALTER TABLE "markets" ADD COLUMN     "tax_rates" JSONB;

-- What follows is beyond Prisma's schema language.
CALL "keep_history"('markets', 'MARKET', 'key');
