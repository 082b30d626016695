-- Numbers that an operator skipped after a restore, so that the audit does not report them as a gap.
ALTER TABLE "order_numbers" ADD COLUMN     "skipped" INTEGER NOT NULL DEFAULT 0;
