/** Lines, prices and tax of an order that staff edit: each line keeps its own rate and price, and refunds follow. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addProduct, type SoldProduct } from '../support/shop-fixtures.ts';
import { actOnPage, edit, guest, type Page, pot, refund, requestPaymentLink, shop, t } from './setup.ts';

interface OrderLines {
  id: string;
  subtotal: number;
  tax: number;
  discount: number;
  total: number;
  lines: {
    variantId: string;
    quantity: number;
    unitPrice: number;
    totalPrice: number;
    discount: number;
    tax: number;
    taxBps?: number;
  }[];
}

const businessPath = () => `/v1/businesses/${shop.businessId}`;

/** Product in the category `books`, which is taxed at 700 instead of 825 bps. */
let book: SoldProduct;
/** List price 1000; 800 from 10 units on. */
let cup: SoldProduct;

const reprice = (price: object) =>
  t.rest('PUT', `${businessPath()}/products/${cup.productId}`, {
    as: shop.admin,
    body: {
      variants: [
        { id: cup.variantId, pricing: { markets: [{ marketId: 'US', currency: 'USD', ...price }] } },
      ],
    },
  });

beforeAll(async () => {
  book = await addProduct(t, shop, { price: 1390, name: 'Book' });
  cup = await addProduct(t, shop, { price: 1000, name: 'Cup' });
  await t.rest('PUT', `${businessPath()}/products/${book.productId}`, {
    as: shop.admin,
    body: { category: 'books' },
  });
  await t.rest('PUT', `${businessPath()}/markets/us`, {
    as: shop.admin,
    body: { taxRates: [{ category: 'books', taxBps: 700 }] },
  });
  await reprice({ price: 1000, tiers: [{ minQuantity: 10, amount: 800 }] });
});

const orderOf = async (id: string) =>
  (await t.rest<OrderLines>('GET', `${shop.orders}/${id}`, { as: shop.admin })).body;

const taxesOf = async (id: string) => (await orderOf(id)).lines.map(({ tax, taxBps }) => [tax, taxBps]);

const pricesOf = ({ lines }: OrderLines) => lines.map(({ quantity, unitPrice }) => [quantity, unitPrice]);

/** A book of 1390 (tax 97 at 700 bps) and pots of 1000 (tax 82.5 each at 825 bps), with 590 of shipping. */
async function buyBookAndPots(pots = 1): Promise<Page> {
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      items: [
        { ...book, quantity: 1 },
        { ...pot, quantity: pots },
      ],
    },
  });
  return body;
}

const createManualOrder = async (lines: object[], more: object = {}) =>
  (
    await t.rest<OrderLines>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines, ...more },
    })
  ).body;

const editLines = async (id: string, lines: object[], more: object = {}) => {
  const response = await t.rest<OrderLines>('PUT', `${shop.orders}/update`, {
    as: shop.admin,
    body: { id, lines, ...more },
  });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
};

describe('the tax of an order', () => {
  it('stays on its lines when an update changes neither lines nor amounts', async () => {
    const page = await buyBookAndPots();
    const before = await orderOf(page.orderId);
    expect(await taxesOf(page.orderId)).toEqual([
      [97, 700],
      [83, undefined],
    ]);
    for (const change of [
      { locale: 'de-AT' },
      { shipping: 600 },
      { lines: before.lines.map(({ discount: _discount, tax: _tax, ...line }) => line) },
      { tax: before.tax, discount: 0 },
    ]) {
      expect((await edit(page.orderId, change)).status).toBe(200);
      expect((await orderOf(page.orderId)).lines).toEqual(before.lines);
    }
    const link = (await requestPaymentLink(page.orderId)).body;
    await actOnPage(link, 'pay');
    expect((await refund(page.orderId, { lines: [{ line: 0, quantity: 1 }] })).body.amount).toBe(1390 + 97);
  });

  it('follows the rate of each line when lines or the discount change', async () => {
    const { orderId } = await buyBookAndPots();
    // 10 pots: 825 of tax. A second book: 2780 at 700 bps are 194.6.
    await editLines(orderId, [
      { ...book, quantity: 2 },
      { ...pot, quantity: 10 },
    ]);
    expect(await orderOf(orderId)).toMatchObject({
      subtotal: 12_780,
      tax: 195 + 825,
      total: 12_780 + 195 + 825 + 590,
      lines: [{ tax: 195, taxBps: 700 }, { tax: 825 }],
    });
    // The discount of 1278 is a tenth of each line: 2502 at 700 bps and 9000 at 825 bps.
    await edit(orderId, { discount: 1278 });
    expect(await orderOf(orderId)).toMatchObject({
      tax: 175 + 743,
      discount: 1278,
      lines: [
        { tax: 175, taxBps: 700, discount: 278 },
        { tax: 743, discount: 1000 },
      ],
    });
  });

  it('of a line that is added follows the rate of its category', async () => {
    const page = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
    });
    await editLines(page.body.orderId, [
      { ...pot, quantity: 1 },
      { ...book, quantity: 1 },
    ]);
    expect(await taxesOf(page.body.orderId)).toEqual([
      [83, undefined],
      [97, 700],
    ]);
  });

  it('that staff set is allocated by the rates of the lines, and stays until they set another', async () => {
    const { orderId } = await buyBookAndPots(2);
    // Exact taxes are 97.3 and 165: 100 is allocated as 37.1 and 62.9.
    await edit(orderId, { tax: 100 });
    expect(await taxesOf(orderId)).toEqual([
      [37, 700],
      [63, undefined],
    ]);
    const edited = await editLines(orderId, [
      { ...book, quantity: 1 },
      { ...pot, quantity: 1 },
    ]);
    expect(edited).toMatchObject({ tax: 100, total: 2390 + 100 + 590 });
    await editLines(orderId, [{ ...book, quantity: 1 }], { tax: 97 });
    // 97 is the tax by rate: later edits follow the rates again.
    await editLines(orderId, [{ ...book, quantity: 2 }]);
    expect(await taxesOf(orderId)).toEqual([[195, 700]]);
  });

  it('of an order that an earlier version edited stays, or is allocated again when it is sent', async () => {
    const { orderId } = await buyBookAndPots();
    // Earlier versions allocated tax without regard to rates, and did not store whether staff set it.
    await t.db.write(
      `update orders set tax_set_by_staff = null, lines = jsonb_set(jsonb_set(lines, '{0,tax}', '105'), '{1,tax}', '75')
       where id = $1`,
      [orderId],
    );
    await edit(orderId, { locale: 'de' });
    expect((await taxesOf(orderId)).map(([tax]) => tax)).toEqual([105, 75]);
    await edit(orderId, { tax: 180 });
    expect((await taxesOf(orderId)).map(([tax]) => tax)).toEqual([97, 83]);
    await t.db.write(
      'update orders set tax_set_by_staff = null, tax = 9, total = total - 171 where id = $1',
      [orderId],
    );
    const edited = await editLines(orderId, [
      { ...book, quantity: 1 },
      { ...pot, quantity: 2 },
    ]);
    expect(edited.tax).toBe(9);
  });

  it('of free goods in a manual order is allocated by quantity, so that the lines add up', async () => {
    const order = await createManualOrder(
      [
        { ...pot, quantity: 1, unitPrice: 0 },
        { ...cup, quantity: 3, unitPrice: 0 },
      ],
      { tax: 8 },
    );
    expect(order.lines.map(({ tax }) => tax)).toEqual([2, 6]);
  });
});

describe('the price of a line', () => {
  it('stays when lines of the same variant are edited', async () => {
    const { id } = await createManualOrder([
      { ...pot, quantity: 1, unitPrice: 1000 },
      { ...pot, quantity: 1, unitPrice: 0 },
    ]);
    const same = await editLines(id, [
      { ...pot, quantity: 1 },
      { ...pot, quantity: 1 },
    ]);
    expect(same.total).toBe(1000);
    const edited = await editLines(id, [
      { ...pot, quantity: 3 },
      { ...pot, quantity: 2 },
      { ...book, quantity: 1 },
    ]);
    expect(pricesOf(edited)).toEqual([
      [3, 1000],
      [2, 0],
      [1, 1390],
    ]);
    const shifted = await editLines(id, [
      { ...book, quantity: 1 },
      { ...pot, quantity: 2, unitPrice: 0 },
      { ...pot, quantity: 4 },
    ]);
    expect(pricesOf(shifted)).toEqual([
      [1, 1390],
      [2, 0],
      [4, 1000],
    ]);
    // One line of the variant is removed: the other is recognised by its quantity.
    expect(pricesOf(await editLines(id, [{ ...pot, quantity: 4 }]))).toEqual([[4, 1000]]);
  });

  it('follows the tier of the new quantity, down and up', async () => {
    const { id, lines } = await createManualOrder([{ ...cup, quantity: 10 }]);
    expect(lines[0]?.unitPrice).toBe(800);
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 1 }]))).toEqual([[1, 1000]]);
    // Two lines of five are ten.
    const split = await editLines(id, [
      { ...cup, quantity: 5 },
      { ...cup, quantity: 5 },
    ]);
    expect(pricesOf(split)).toEqual([
      [5, 800],
      [5, 800],
    ]);
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 5 }]))).toEqual([[5, 1000]]);
  });

  it('that staff set stays at any quantity', async () => {
    const { id } = await createManualOrder([{ ...cup, quantity: 10, unitPrice: 800 }]);
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 1 }]))).toEqual([[1, 800]]);
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 10, unitPrice: 950 }]))).toEqual([[10, 950]]);
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 20 }]))).toEqual([[20, 950]]);
  });

  it('stays as agreed when the catalogue price has changed since, and when the product is deleted', async () => {
    const { id } = await createManualOrder([{ ...cup, quantity: 2 }]);
    await reprice({ price: 1200, tiers: [{ minQuantity: 10, amount: 900 }] });
    expect(pricesOf(await editLines(id, [{ ...cup, quantity: 12 }]))).toEqual([[12, 1000]]);
    await reprice({ price: 1000, tiers: [{ minQuantity: 10, amount: 800 }] });
    const gone = await addProduct(t, shop, { price: 300 });
    const order = await createManualOrder([{ ...gone, quantity: 2 }]);
    await t.rest('DELETE', `${businessPath()}/products/${gone.productId}`, { as: shop.admin });
    const split = await editLines(order.id, [
      { ...gone, quantity: 1 },
      { ...gone, quantity: 1 },
    ]);
    expect(pricesOf(split)).toEqual([
      [1, 300],
      [1, 300],
    ]);
    expect(pricesOf(await editLines(order.id, [{ ...gone, quantity: 1 }]))).toEqual([[1, 300]]);
  });
});
