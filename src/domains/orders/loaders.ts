/** What orders point at, fetched once per request however many orders ask. */
import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import type { Refund } from '../payments/model.ts';
import { loadRefunds as refundsBySubject } from '../payments/refunds.ts';
import { loadVisibleProducts } from '../products/load-products.ts';
import type { Product } from '../products/model.ts';
import { type Contact, loadContacts } from '../users/contacts.ts';

/** One loader per request; the context is the request. */
function perRequest<Value>(load: (ctx: Context, ids: readonly string[]) => Promise<Map<string, Value>>) {
  const loaders = new WeakMap<Context, DataLoader<string, Value | undefined>>();
  return (ctx: Context, id: string): Promise<Value | undefined> => {
    let loader = loaders.get(ctx);
    if (!loader) {
      loader = new DataLoader(async (ids) => {
        const found = await load(ctx, ids);
        return ids.map((key) => found.get(key));
      });
      loaders.set(ctx, loader);
    }
    return loader.load(id);
  };
}

export const loadCustomer = perRequest<Contact>((ctx, ids) => loadContacts(ctx.db, ids));

/** Only products the viewer may see: an order is no way to look at drafts. */
export const loadProduct = perRequest<Product>(loadVisibleProducts);

export const loadRefunds = perRequest<Refund[]>((ctx, ids) => refundsBySubject(ctx.db, 'order', ids));
