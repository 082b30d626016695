/** Builds webhook events of customer groups. Pure. */
import type { CustomerGroup, CustomerGroupMember } from '../../generated/prisma/client.ts';
import type { WebhookEvent } from '../webhooks/webhook-event-types.ts';

export const buildCustomerGroupEvent = (
  type: 'customer_group.created' | 'customer_group.updated' | 'customer_group.deleted',
  { id, businessId, name, version }: Pick<CustomerGroup, 'id' | 'businessId' | 'name' | 'version'>,
): WebhookEvent => ({ type, data: { id, businessId, name, version } });

/** The payload contains only the id of the member, no personal data. */
export const buildGroupMemberEvent = (
  type: 'customer_group.member_added' | 'customer_group.member_removed',
  { businessId, groupId, userId }: Pick<CustomerGroupMember, 'businessId' | 'groupId' | 'userId'>,
): WebhookEvent => ({ type, data: { id: groupId, businessId, userId } });
