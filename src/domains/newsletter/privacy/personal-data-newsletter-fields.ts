/** Personal data export: subscriptions and received newsletters of one person. */
import type { Context } from '../../../context.ts';
import { businessServersOf, type UntypedRow } from '../../../db/index.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import { collectNewestPersonalData } from '../../shared/personal-data/collect-newest-personal-data.ts';
import {
  PersonalDataGraphqlType,
  type PersonalDataOwner,
  personalDataListCost,
} from '../../shared/personal-data/personal-data-graphql-type.ts';
import {
  type NewsletterRecipientStatus,
  type NewsletterSubscription,
  newsletterSendTable,
  subscriptionTable,
  toSubscription,
} from '../model.ts';
import { buildSubscriptionsByEmailFromClause } from '../subscriptions/find-and-lock-subscriptions.ts';
import { NewsletterRecipientStatusEnum, NewsletterSubscriptionGraphqlType } from '../types.ts';

const subscriptionsStatement = `
  select ${subscriptionTable.columns} from ${buildSubscriptionsByEmailFromClause('$1')}
  where $2::uuid is null or s.id < $2 order by s.id desc limit $3`;

/** Undefined without a confirmed email address: mails to an unconfirmed address may belong to another person. */
const keyOf = ({ email }: PersonalDataOwner) => email?.toLowerCase();

async function loadSubscriptions(ctx: Context, owner: PersonalDataOwner): Promise<NewsletterSubscription[]> {
  const key = keyOf(owner);
  if (key === undefined) return [];
  const rows = await collectNewestPersonalData<UntypedRow>(
    businessServersOf(ctx.db),
    'id',
    (server, below, take) => server.sql<UntypedRow>(subscriptionsStatement, [key, below ?? null, take]),
  );
  return rows.map(toSubscription);
}

interface ReceivedNewsletter {
  sendId: string;
  entryId: string;
  subscriptionId: string;
  subject: string | null;
  status: NewsletterRecipientStatus;
  startedAt?: number | undefined;
}

const receivedSend = newsletterSendTable.selectFields('entryId', 'startedAt');

type ReceivedRow = {
  send_id: string;
  subscription_id: string;
  status: NewsletterRecipientStatus;
  subject: string | null;
};

const receivedStatement = `
  select r.send_id, r.subscription_id, r.status, ${receivedSend.columns}, n.content ->> 'subject' as subject
  from ${buildSubscriptionsByEmailFromClause('$1')}
  join newsletter_recipients r on r.subscription_id = s.id
  join ${newsletterSendTable.from} on n.id = r.send_id
  where $2::uuid is null or r.send_id < $2
  order by r.send_id desc limit $3`;

/** `send_id` alone is the cursor: a send has at most one subscription per email address. */
async function loadReceivedNewsletters(
  ctx: Context,
  owner: PersonalDataOwner,
): Promise<ReceivedNewsletter[]> {
  const key = keyOf(owner);
  if (key === undefined) return [];
  const rows = await collectNewestPersonalData<ReceivedRow>(
    businessServersOf(ctx.db),
    'send_id',
    (server, below, take) => server.sql<ReceivedRow>(receivedStatement, [key, below ?? null, take]),
  );
  return rows.map((row) => ({
    ...receivedSend.read(row),
    sendId: row.send_id,
    subscriptionId: row.subscription_id,
    status: row.status,
    subject: row.subject,
  }));
}

const ReceivedNewsletterGraphqlType = builder.objectRef<ReceivedNewsletter>('ReceivedNewsletter').implement({
  description: 'A newsletter mail addressed to the viewer.',
  fields: outputFields((t) => ({
    sendId: ['ID!', 'Id of the send.'],
    entryId: ['ID!', 'Id of the entry that was sent.'],
    subscriptionId: ['ID!', 'Id of the subscription.'],
    subject: ['String', 'Subject, with unresolved placeholders; null until the send starts.'],
    status: t.expose('status', { type: NewsletterRecipientStatusEnum, description: 'Delivery status.' }),
    startedAt: ['Timestamp', 'Time at which the send started.'],
  })),
});

builder.objectFields(PersonalDataGraphqlType, (t) => ({
  subscriptions: t.field({
    type: [NewsletterSubscriptionGraphqlType],
    description: 'Subscriptions of the confirmed email address of the viewer, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => loadSubscriptions(ctx, owner),
  }),
  newsletters: t.field({
    type: [ReceivedNewsletterGraphqlType],
    description: 'Newsletter mails to that address, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => loadReceivedNewsletters(ctx, owner),
  }),
}));
