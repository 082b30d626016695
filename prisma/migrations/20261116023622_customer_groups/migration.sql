-- CreateTable
CREATE TABLE "customer_groups" (
    "business_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "customer_groups_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "customer_group_members" (
    "business_id" UUID NOT NULL,
    "group_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "customer_group_members_pkey" PRIMARY KEY ("business_id","group_id","user_id")
);

-- CreateIndex
CREATE INDEX "customer_group_members_user_id_business_id_idx" ON "customer_group_members"("user_id", "business_id");

-- AddForeignKey
ALTER TABLE "customer_groups" ADD CONSTRAINT "customer_groups_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_group_members" ADD CONSTRAINT "customer_group_members_business_id_group_id_fkey" FOREIGN KEY ("business_id", "group_id") REFERENCES "customer_groups"("business_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_group_members" ADD CONSTRAINT "customer_group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.
CALL "keep_history"('customer_groups', 'CUSTOMER_GROUP');
CALL "keep_history"('customer_group_members', 'CUSTOMER_GROUP_MEMBER', 'user_id');
