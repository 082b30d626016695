/** A complete sample domain that is added to a copy of the source tree: notices of a business, listed, read and created in REST and GraphQL. */
import type { Edit } from '../support/copied-tree.ts';

const domain = (name: string, add: string): Edit => ({ file: `src/domains/notices/${name}.ts`, add });

/** The only edit outside of the domain's own files. */
export const registration: Edit = {
  file: 'src/domains/domain-names.ts',
  after: `export const domainNames = [\n`,
  add: `  'notices',\n`,
};

export const notices: Edit[] = [
  {
    file: 'prisma/models/notices.prisma',
    add: `/// A public announcement of a business.
model Notice {
  id         String @id @db.Uuid
  businessId String @map("business_id") @db.Uuid
  text       String
  createdAt  BigInt @map("created_at")

  @@index([businessId, id])
  @@map("notices")
}
`,
  },
  domain(
    'types',
    `/** GraphQL types of notices. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';

export const NoticeGraphqlType = builder.prismaObject('Notice', {
  description: 'A public announcement of a business.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the notice.' }),
    businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
    text: t.exposeString('text', { description: 'Text of the announcement.' }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of creation.' }),
  }),
});

export const NoticeConnection = createConnectionType('Notice', NoticeGraphqlType);
`,
  ),
  domain(
    'inputs',
    `/** GraphQL inputs of notices. */
import { builder } from '../../graphql/schema/builder.ts';

export const CreateNoticeInput = builder.inputType('CreateNoticeInput', {
  description: 'A new notice.',
  fields: (t) => ({ text: t.string({ required: true, description: 'Text of the announcement.' }) }),
});
`,
  ),
  domain(
    'schemas',
    `/** Input schemas of notices. */
import { z } from 'zod';
import { pageArgSchemas, buildRequiredTextSchema } from '../../lib/validation/input.ts';

export const createNoticeSchema = z.object({
  businessId: z.string(),
  input: z.object({ text: buildRequiredTextSchema(500) }),
});

export const listNoticesSchema = z.object({ businessId: z.string(), ...pageArgSchemas });
`,
  ),
  domain(
    'notices',
    `/** Creates, finds and lists the notices of a business. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { loadPrismaPage } from '../../db/index.ts';
import type { Notice } from '../../generated/prisma/client.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import type { createNoticeSchema, listNoticesSchema } from './schemas.ts';

export const createNotice = (
  ctx: Context,
  { businessId, input }: z.output<typeof createNoticeSchema>,
): Promise<Notice> =>
  runIdempotent(ctx, 'createNotice', { businessId, input }, ({ prisma }) =>
    prisma.notice.create({ data: { id: newId(), businessId, ...input, createdAt: now() } }),
  );

export const findNotice = async (
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Notice | null> =>
  isId(businessId) && isId(id) ? ctx.db.prisma.notice.findFirst({ where: { businessId, id } }) : null;

export function listNotices(ctx: Context, args: z.output<typeof listNoticesSchema>): Promise<Page<Notice>> {
  return loadPrismaPage<Notice>(ctx, ctx.db.prisma.notice, {
    list: \`notices:\${args.businessId}\`,
    args,
    where: { businessId: args.businessId },
  });
}
`,
  ),
  domain(
    'queries',
    `/** Queries of notices. */
import { builder } from '../../graphql/schema/builder.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { listNoticesSchema } from './schemas.ts';
import { findNotice, listNotices } from './notices.ts';
import { NoticeConnection, NoticeGraphqlType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  return {
    notice: t.field({
      type: NoticeGraphqlType,
      nullable: true,
      description: 'One notice.',
      authScopes: { signedIn: true },
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the notice.' }) },
      resolve: (_root, args, ctx) => findNotice(ctx, args),
    }),
    notices: t.field({
      type: NoticeConnection,
      description: 'The notices of a business, newest first.',
      authScopes: { signedIn: true },
      complexity: estimateListCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listNoticesSchema, listNotices),
    }),
  };
});
`,
  ),
  domain(
    'mutations',
    `/** Mutations of notices. */
import type { Notice } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { createNoticeSchema } from './schemas.ts';
import { CreateNoticeInput } from './inputs.ts';
import { createNotice } from './notices.ts';
import { NoticeGraphqlType } from './types.ts';

const NoticePayload = createPayloadType<'notice', Notice>('NoticePayload', 'notice', NoticeGraphqlType);

builder.mutationField('createNotice', (t) =>
  t.field({
    type: NoticePayload,
    description: 'Creates a notice. Needs ADMIN.',
    authScopes: permissionInBusinessScope('ADMIN'),
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      input: t.arg({ type: CreateNoticeInput, required: true, description: 'The notice.' }),
    },
    ...validatedField(createNoticeSchema, asPayload('notice', createNotice)),
  }),
);
`,
  ),
  {
    file: 'src/domains/notices/operations.graphql',
    add: `fragment NoticeFields on Notice {
  id
  businessId
  text
  createdAt
}

query GetNotice($businessId: ID!, $id: ID!) {
  notice(businessId: $businessId, id: $id) {
    ...NoticeFields
  }
}

query ListNotices($businessId: ID!, $first: Int, $after: String) {
  notices(businessId: $businessId, first: $first, after: $after) {
    nodes {
      ...NoticeFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}

mutation CreateNotice($businessId: ID!, $input: CreateNoticeInput!) {
  createNotice(businessId: $businessId, input: $input) {
    notice {
      ...NoticeFields
    }
  }
}
`,
  },
  {
    file: 'src/domains/notices/routes.ts',
    add: `/** \`/v1/businesses/{businessId}/notices\` */
import * as operations from '../../generated/operations.ts';
import { defineGetRoute, defineListRoute, definePostRoute } from '../../rest/route.ts';

const notices = '/v1/businesses/:businessId/notices';

export const routes = [
  definePostRoute(notices, operations.CreateNoticeDocument),
  defineListRoute(notices, operations.ListNoticesDocument),
  defineGetRoute(\`\${notices}/:id\`, operations.GetNoticeDocument, { recordName: 'Notice' }),
];
`,
  },
];
