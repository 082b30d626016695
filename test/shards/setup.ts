/** A gateway on two database servers, with a shop on each. */
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { type Person, TestApp } from '../support/app.ts';
import { testDb } from '../support/database.ts';
import { createAppOnServers } from '../support/several-servers.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

export interface Side {
  /** Its handle leads to the server of the shop. */
  t: TestApp;
  shop: SellingShop;
  pot: SoldProduct;
}

export interface TwoSides {
  home: Db;
  second: Db;
  onHome: Side;
  onSecond: Side;
}

export async function createTwoSides(secondServer?: Db): Promise<TwoSides> {
  const config = readConfig({
    PUBLIC_URL: 'http://pay.test',
    ALLOWED_ORIGINS: 'http://shop.test',
    FAST_PATH: process.env.FAST_PATH ?? 'on',
    OPERATION_TIMEOUT: '60s',
    RATE_LIMIT: 'off',
    UNPAID_ORDERS_PER_CUSTOMER: '1000',
    UNPAID_ORDERS_PER_ADDRESS: '1000',
  });
  const [home, second] = [await testDb(), secondServer ?? (await testDb())];
  const live = { ...defaultLiveOptions, paceMs: 20 };
  const t = await createAppOnServers({ config, home, second, live });
  const createSide = async (app: TestApp): Promise<Side> => {
    const shop = await createSellingShop(app);
    return { t: app, shop, pot: await addProduct(app, shop, { name: 'Pot', price: 1000, stock: 50 }) };
  };
  const [homeServices = t.app.services] = t.app.services.servers?.all ?? [];
  const homeApp = Object.create(t.app, { services: { value: homeServices } });
  return {
    home,
    second,
    onHome: await createSide(new TestApp(homeApp, home, [])),
    onSecond: await createSide(t),
  };
}

/** Places an unpaid order and returns its id. */
export async function placeOrder({ t, shop, pot }: Side, as: Person, more: object = {}): Promise<string> {
  const { status, body } = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }], ...more },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.orderId;
}
