/** What chance seldom brings together: several things in a row that belong together, each as the model expects it. */
import { call } from '../call.ts';
import { demand } from '../fault.ts';
import { plans } from '../shop.ts';
import { buy, type Cart, wireLine } from './buying.ts';
import { write } from './content.ts';
import { readOverview } from './graph.ts';
import { announce } from './people.ts';
import { type Play, pathOf, staffOf } from './play.ts';
import { offer } from './products.ts';
import { takeAnotherSum } from './provider.ts';
import {
  begin,
  cartOf,
  change,
  expectKept,
  failRefunds,
  ordered,
  orderOf,
  pageOf,
  pay,
  payByLink,
  stocked,
  work,
} from './story.ts';

const cancelled = { operation: 'SetOrderStatus', body: { status: 'CANCELLED' } };

const editTo = (id: string, { lines }: Cart, expect = 200) => ({
  operation: 'UpdateOrder',
  id,
  body: {
    lines: lines.map((line) => ({ ...wireLine(line), unitPrice: line.variant.price })),
    tax: 0,
    discount: 0,
  },
  expect,
});

/** A code that is used up is free again when its order is cancelled. */
export const cancelWithPromo: Play = async (world, turn) => {
  const story = begin(world, turn);
  const promoCode = await announce(world, story.staff, {
    shop: story.shop,
    terms: turn.dice.one([
      { type: 'PERCENTAGE', bps: 1250 },
      { type: 'FIXED', amount: 333 },
    ]),
    maxUses: 1,
  });
  const cart = cartOf(story, await stocked(story), 1, promoCode);
  const { id } = await ordered(story, cart);
  // The model expects that this is refused.
  await buy(world, story.buyer, cart);
  await change(story, { ...cancelled, id });
  await ordered(story, cart);
};

/** What went back does not go back again with the rest: neither money nor goods. */
export const cancelAfterRestock: Play = async (world, turn) => {
  const story = begin(world, turn);
  const { id, page } = await ordered(story, cartOf(story, await stocked(story), 3));
  await pay(story, page);
  const { total } = orderOf(world, id);
  expectKept(orderOf(world, id), total);
  const lines = [0, 1].map((line) => ({ line, quantity: turn.dice.between(1, 2) }));
  const refund = { operation: 'RefundOrder', id };
  const partly = await change(story, { ...refund, body: { lines, restock: true } });
  const isInPart = partly.refunded > 0 && partly.refunded < total && partly.lines[0]?.restocked;
  demand(Boolean(isInPart), 'refund of a story', () => JSON.stringify(partly));
  const tooMuch = { amount: total - partly.refunded + 1 };
  await change(story, { ...refund, body: tooMuch, expect: 422 });
  expectKept(await change(story, { ...cancelled, id }), 0);
};

/** A page asks for what is due, or for nothing: the old one ends with the old price. */
export const editBeforePaying: Play = async (world, turn) => {
  const story = begin(world, turn);
  const product = await stocked(story);
  const { id, page } = await ordered(story, cartOf(story, product, 1));
  const { total } = await change(story, editTo(id, cartOf(story, product, 2)));
  demand(!(await pay(story, page)), 'page of another price', () => page);
  await payByLink(story, id);
  expectKept(orderOf(world, id), total);
};

/** Another sum than was asked for goes back, and is still due. */
export const wrongSum: Play = async (world, turn) => {
  const story = begin(world, turn);
  const { id, page } = await ordered(story, cartOf(story, await stocked(story), 1));
  await takeAnotherSum(world, page, turn.dice);
  await work(world);
  expectKept(orderOf(world, id), 0);
  await payByLink(story, id);
  expectKept(orderOf(world, id), orderOf(world, id).total);
};

/** Money that a bank did not take back is the shop's again. */
export const failedRefund: Play = async (world, turn) => {
  const story = begin(world, turn);
  const { id, page } = await ordered(story, cartOf(story, await stocked(story), 1));
  await pay(story, page);
  const { total } = orderOf(world, id);
  const amount = turn.dice.between(1, total - 1);
  expectKept(await change(story, { operation: 'RefundOrder', id, body: { amount } }), total - amount);
  await failRefunds(story, page);
  expectKept(orderOf(world, id), total);
  // All of it can go back.
  expectKept(await change(story, { operation: 'RefundOrder', id, body: { amount: total } }), 0);
};

/** All that is there can be had, and nothing after it until some of it comes back, whoever takes it. */
export const sellOut: Play = async (world, turn) => {
  const story = begin(world, turn);
  const { actor, voice } = story.staff;
  const product = await stocked(story);
  const variantId = product.variants[0]?.id ?? '';
  const all = world.seen.stock.get(variantId) ?? 0;
  const { id } = await ordered(story, cartOf(story, product, all));
  // The model expects that this is refused.
  await buy(world, story.buyer, cartOf(story, product, 1));
  await change(story, editTo(id, cartOf(story, product, all + 1), 422));
  await call(world, {
    operation: 'AdjustStock',
    actor,
    voice,
    asked: {
      path: { ...pathOf(story.shop), id: product.id },
      body: { variantId, change: -1, reason: 'Counted' },
    },
    expect: 422,
  });
  await change(story, { ...cancelled, id });
  await ordered(story, cartOf(story, product, 1));
};

/** An entry for everybody about something that is not for everybody yet. */
export const writeAboutDraft: Play = async (world, turn) => {
  const { shop, staff, buyer } = begin(world, turn);
  const offers = [{ price: 100, inventory: { tracked: false } }];
  const about = await offer(world, staff, { shop, status: 'DRAFT', offers });
  const entry = await write(world, staff, { shop, isLetter: false, status: 'PUBLISHED', about });
  for (const { actor } of [buyer, staff]) await readOverview(world, actor, shop);
  // The staff of another shop do not find it there.
  const other = world.shops[shop.number === 0 ? 1 : 0];
  await call(world, {
    operation: 'UpdateEntry',
    actor: staffOf(world, other),
    voice: turn.voice,
    asked: { path: { ...pathOf(other), id: entry?.id ?? '' }, body: { status: 'DRAFT' } },
    expect: 404,
  });
};

/** A plan that costs something is asked to be paid for, and no other. */
export const joinEachPlan: Play = async (world, turn) => {
  const { shop, buyer } = begin(world, turn);
  for (const [planId, price] of Object.entries(plans)) {
    world.made += 1;
    const body = await call<{ checkoutUrl?: string }>(world, {
      operation: 'Subscribe',
      actor: buyer.actor,
      voice: turn.voice,
      asked: {
        path: { ...pathOf(shop), collectionId: shop.letters },
        body: { email: `new-reader-${world.made}@people.example`, planId },
      },
      expect: 200,
    });
    const isAsked = body?.checkoutUrl !== undefined;
    demand(isAsked === price > 0, 'price of a plan', () => `${planId}: ${JSON.stringify(body)}`);
    if (isAsked) world.pages.push(pageOf(body));
  }
};

/** One page more than what a list shows when nobody says how much. */
const many = 21;

export const fillShelf: Play = async (world, turn) => {
  const { shop, staff, buyer } = begin(world, turn);
  const isShown = (product: (typeof world.products)[number]) =>
    product.shop === shop.number && product.status === 'ACTIVE' && !product.gone;
  const offers = [{ price: 100, inventory: { tracked: true, quantity: 3 } }];
  for (let count = world.products.filter(isShown).length; count < many; count += 1)
    await offer(world, staff, { shop, status: 'ACTIVE', offers });
  await readOverview(world, buyer.actor, shop);
};
