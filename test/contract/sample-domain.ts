/** A whole domain to be added to a copy of the tree: notices of a business, listed, read and created in both voices. */
import type { Edit } from '../support/copied-tree.ts';

const domain = (name: string, add: string): Edit => ({ file: `src/domains/notices/${name}.ts`, add });

/** The one line outside the domain's own files. */
export const registration: Edit = {
  file: 'src/domains/index.ts',
  after: `export const domains = [\n`,
  add: `  'notices',\n`,
};

export const notices: Edit[] = [
  {
    file: 'prisma/models/notices.prisma',
    add: `/// Something a business wants everybody to know.
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
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';

export const NoticeType = builder.prismaObject('Notice', {
  description: 'Something a business wants everybody to know.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the notice.' }),
    businessId: t.exposeID('businessId', { description: 'The business.' }),
    text: t.exposeString('text', { description: 'What it says.' }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
  }),
});

export const NoticeConnection = connectionOf('Notice', NoticeType);
`,
  ),
  domain(
    'inputs',
    `/** GraphQL inputs of notices. */
import { builder } from '../../graphql/builder.ts';

export const CreateNoticeInput = builder.inputType('CreateNoticeInput', {
  description: 'A new notice.',
  fields: (t) => ({ text: t.string({ required: true, description: 'What it says.' }) }),
});
`,
  ),
  domain(
    'checks',
    `/** What callers of notices must send. */
import { z } from 'zod';
import { pageFields, requiredText } from '../../lib/input.ts';

export const createNoticeCheck = z.object({
  businessId: z.string(),
  input: z.object({ text: requiredText(500) }),
});

export const noticeListCheck = z.object({ businessId: z.string(), ...pageFields });
`,
  ),
  domain(
    'notices',
    `/** Notices of a business: created, found and listed. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Notice } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import type { createNoticeCheck, noticeListCheck } from './checks.ts';

export const createNotice = (
  ctx: Context,
  { businessId, input }: z.output<typeof createNoticeCheck>,
): Promise<Notice> =>
  once(ctx, 'createNotice', { businessId, input }, ({ prisma }) =>
    prisma.notice.create({ data: { id: newId(), businessId, ...input, createdAt: now() } }),
  );

export const findNotice = async (
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Notice | null> =>
  isId(businessId) && isId(id) ? ctx.db.prisma.notice.findFirst({ where: { businessId, id } }) : null;

export function listNotices(ctx: Context, args: z.output<typeof noticeListCheck>): Promise<Page<Notice>> {
  const { notice } = ctx.db.prisma;
  const where = { businessId: args.businessId };
  return page<Notice>({
    secret: ctx.keys.secret,
    list: \`notices:\${args.businessId}\`,
    args,
    keyOf: ({ id }) => id,
    fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'desc');
      return notice.findMany({ where: { ...where, id: range }, orderBy: { id: direction }, take });
    },
    count: () => notice.count({ where }),
  });
}
`,
  ),
  domain(
    'queries',
    `/** Queries of notices. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { noticeListCheck } from './checks.ts';
import { findNotice, listNotices } from './notices.ts';
import { NoticeConnection, NoticeType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    notice: t.field({
      type: NoticeType,
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
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...checked(noticeListCheck, (args, ctx) => listNotices(ctx, args)),
    }),
  };
});
`,
  ),
  domain(
    'mutations',
    `/** Mutations of notices. */
import type { Notice } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness } from '../../graphql/scopes.ts';
import { createNoticeCheck } from './checks.ts';
import { CreateNoticeInput } from './inputs.ts';
import { createNotice } from './notices.ts';
import { NoticeType } from './types.ts';

const NoticePayload = payloadOf<'notice', Notice>('NoticePayload', 'notice', NoticeType);

builder.mutationField('createNotice', (t) =>
  t.field({
    type: NoticePayload,
    description: 'Creates a notice. Needs ADMIN.',
    authScopes: inBusiness('ADMIN'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      input: t.arg({ type: CreateNoticeInput, required: true, description: 'The notice.' }),
    },
    ...checked(createNoticeCheck, async (args, ctx) => ({ notice: await createNotice(ctx, args) })),
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
import { create, get, list } from '../../rest/row.ts';

const notices = '/v1/businesses/:businessId/notices';

export const routes = [
  create(notices, operations.CreateNoticeDocument, { answer: 'createNotice.notice' }),
  list(notices, operations.ListNoticesDocument, { answer: 'notices' }),
  get(\`\${notices}/:id\`, operations.GetNoticeDocument, { answer: 'notice', missing: 'Notice' }),
];
`,
  },
];
