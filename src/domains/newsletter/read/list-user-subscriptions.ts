/** Lists the subscriptions of a user. A subscription belongs to an email address, and an address to the user who has confirmed it. */
import type { Context } from '../../../context.ts';
import { loadOwnedPage } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import type { User } from '../../users/model.ts';
import type { NewsletterSubscription } from '../model.ts';
import { subscriptionPageSource } from './list-subscribers.ts';

export function listUserSubscriptions(
  ctx: Context,
  { id, email, isSelf, isConfirmed }: Pick<User, 'id' | 'email' | 'isSelf' | 'isConfirmed'>,
  args: PageArgs,
): Promise<Page<NewsletterSubscription>> {
  if (!isSelf) throw forbiddenError();
  return loadOwnedPage(ctx, {
    records: subscriptionPageSource,
    list: `subscriptions:${id}`,
    args,
    owner: 's.key',
    params: [isConfirmed && email ? email.toLowerCase() : null],
    conditions: [],
  });
}
