/** Documents on their way into a JSON column by Prisma. */
import type { Prisma } from '../generated/prisma/client.ts';

/** Without the fields that are undefined, which JSON does not have. */
export const asDocument = (value: object): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value));
