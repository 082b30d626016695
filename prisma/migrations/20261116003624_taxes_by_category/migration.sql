-- AlterTable
ALTER TABLE "markets" ADD COLUMN     "tax_rates" JSONB;
