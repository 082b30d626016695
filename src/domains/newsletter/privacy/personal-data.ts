/** The newsletters of one person: where they are on the list, and which mails they got. */
import type { Context } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import {
  type PersonalDataOwner,
  PersonalDataType,
  personalListCost,
  readNewestInBatches,
} from '../../shared/personal-data.ts';
import {
  newsletterSends,
  type RecipientStatus,
  type Subscription,
  subscriptions,
  toSubscription,
} from '../model.ts';
import { subscriptionsByEmailSql } from '../subscribe/subscription-store.ts';
import { RecipientStatusEnum, SubscriptionType } from '../types.ts';

const ownSubscriptions = `
  select ${subscriptions.columns} from ${subscriptionsByEmailSql('$1')}
  where $2::uuid is null or s.id < $2 order by s.id desc limit $3`;

/** Only who has confirmed an address is asked about what was sent there. */
const keyOf = ({ email }: PersonalDataOwner) => email?.toLowerCase();

async function subscriptionsOf(ctx: Context, owner: PersonalDataOwner): Promise<Subscription[]> {
  const key = keyOf(owner);
  if (key === undefined) return [];
  const rows = await readNewestInBatches<TableRow>(
    ({ id }) => id,
    (below, take) => ctx.db.sql<TableRow>(ownSubscriptions, [key, below ?? null, take]),
  );
  return rows.map(toSubscription);
}

export interface ReceivedNewsletter {
  sendId: string;
  entryId: string;
  subscriptionId: string;
  subject: string | null;
  status: RecipientStatus;
  startedAt?: number | undefined;
}

const receivedSend = newsletterSends.selectFields('entryId', 'startedAt');

type ReceivedRow = {
  send_id: string;
  subscription_id: string;
  status: RecipientStatus;
  subject: string | null;
};

const received = `
  select r.send_id, r.subscription_id, r.status, ${receivedSend.columns}, n.content ->> 'subject' as subject
  from ${subscriptionsByEmailSql('$1')}
  join newsletter_recipients r on r.subscription_id = s.id
  join ${newsletterSends.from} on n.id = r.send_id
  where $2::uuid is null or r.send_id < $2
  order by r.send_id desc limit $3`;

/** A send has at most one subscription of an address. */
async function newslettersOf(ctx: Context, owner: PersonalDataOwner): Promise<ReceivedNewsletter[]> {
  const key = keyOf(owner);
  if (key === undefined) return [];
  const rows = await readNewestInBatches<ReceivedRow>(
    (row) => row.send_id,
    (below, take) => ctx.db.sql<ReceivedRow>(received, [key, below ?? null, take]),
  );
  return rows.map((row) => ({
    ...receivedSend.read(row),
    sendId: row.send_id,
    subscriptionId: row.subscription_id,
    status: row.status,
    subject: row.subject,
  }));
}

const ReceivedNewsletterType = builder.objectRef<ReceivedNewsletter>('ReceivedNewsletter').implement({
  description: 'A mail of a newsletter that was meant for the viewer.',
  fields: (t) => ({
    sendId: t.exposeID('sendId', { description: 'Id of the send.' }),
    entryId: t.exposeID('entryId', { description: 'The entry that was mailed.' }),
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription it was sent for.' }),
    subject: t.exposeString('subject', { nullable: true, description: 'Subject, with its placeholders.' }),
    status: t.expose('status', { type: RecipientStatusEnum, description: 'What became of it.' }),
    startedAt: t.expose('startedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the sending began.',
    }),
  }),
});

builder.objectFields(PersonalDataType, (t) => ({
  subscriptions: t.field({
    type: [SubscriptionType],
    description: 'Places on lists of newsletters with the viewer’s confirmed address, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => subscriptionsOf(ctx, owner),
  }),
  newsletters: t.field({
    type: [ReceivedNewsletterType],
    description: 'Mails of newsletters to that address, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => newslettersOf(ctx, owner),
  }),
}));
