/** Products of the demo shop. */

/** Prices in minor units of US dollars and of euros. */
type Amounts = readonly [usd: number, eur: number];

export interface DemoVariant {
  name: string;
  sku: string;
  attributes: Record<string, string>;
  price: Amounts;
  /** Original prices (`compareAtPrice`). */
  was?: Amounts;
  /** Sale price, quantity discount, and price for the wholesale group. */
  sale?: Amounts;
  tier?: { minQuantity: number; price: Amounts };
  wholesale?: Amounts;
  /** Units in stock, and threshold of low stock; undefined: not tracked. */
  stock?: readonly [units: number, low: number];
}

interface DemoProduct {
  name: string;
  category: string;
  description: string;
  status?: 'ACTIVE' | 'DRAFT';
  variants: DemoVariant[];
}

const bag = (sku: string, usd: number, eur: number, stock: number): DemoVariant[] => [
  { name: '250 g', sku: `${sku}-250`, attributes: { size: '250 g' }, price: [usd, eur], stock: [stock, 20] },
  {
    name: '1 kg',
    sku: `${sku}-1000`,
    attributes: { size: '1 kg' },
    price: [Math.round(usd * 3.4), Math.round(eur * 3.4)],
    stock: [Math.floor(stock / 3), 10],
  },
];

/** Lists are newest first, so the last product here is the first in a list. */
export const demoProducts: DemoProduct[] = [
  {
    name: 'Yirgacheffe Konga',
    category: 'coffee',
    description: 'Washed Ethiopian coffee with jasmine, bergamot and a long, tea-like finish.',
    variants: bag('ETH-KONGA', 1650, 1490, 180),
  },
  {
    name: 'Huila El Mirador',
    category: 'coffee',
    description: 'Colombian coffee from 1,750 m: red apple, panela and milk chocolate.',
    variants: bag('COL-MIRADOR', 1500, 1390, 240),
  },
  {
    name: 'Sumatra Lintong',
    category: 'coffee',
    description: 'Wet-hulled and full-bodied, with cedar, dark cocoa and a hint of tobacco.',
    variants: bag('IDN-LINTONG', 1450, 1350, 95),
  },
  {
    name: 'House Espresso No. 4',
    category: 'coffee',
    description: 'The blend behind our bar: hazelnut, caramel, and forgiving in any machine.',
    variants: [
      {
        name: '250 g',
        sku: 'HOUSE4-250',
        attributes: { size: '250 g' },
        price: [1290, 1190],
        was: [1490, 1390],
        stock: [400, 50],
      },
      {
        name: '1 kg',
        sku: 'HOUSE4-1000',
        attributes: { size: '1 kg' },
        price: [3990, 3690],
        was: [4690, 4290],
        wholesale: [3390, 3190],
        stock: [120, 20],
      },
    ],
  },
  {
    name: 'Sugarcane Decaf',
    category: 'coffee',
    description: 'Decaffeinated with ethyl acetate from sugarcane. Sweet, round, sleeps well.',
    variants: bag('DECAF-CANE', 1550, 1450, 60),
  },
  {
    name: 'Pour-over Dripper',
    category: 'brewing',
    description: 'Ceramic cone with spiral ribs. Fits size 02 paper filters and most mugs.',
    variants: [
      {
        name: 'White',
        sku: 'DRIP-WHT',
        attributes: { colour: 'white' },
        price: [2400, 2200],
        stock: [75, 10],
      },
      {
        name: 'Black',
        sku: 'DRIP-BLK',
        attributes: { colour: 'black' },
        price: [2400, 2200],
        stock: [3, 10],
      },
    ],
  },
  {
    name: 'Gooseneck Kettle 0.9 l',
    category: 'brewing',
    description: 'Stainless steel, counterbalanced handle, and a spout that pours where you look.',
    variants: [
      {
        name: 'Brushed steel',
        sku: 'KETTLE-09',
        attributes: { finish: 'brushed' },
        price: [8900, 7900],
        was: [10900, 9900],
        stock: [34, 5],
      },
    ],
  },
  {
    name: 'Hand Grinder S3',
    category: 'brewing',
    description: 'Forty-eight millimetre conical burrs, stepless adjustment, thirty grams in under a minute.',
    variants: [
      {
        name: 'Graphite',
        sku: 'GRIND-S3',
        attributes: { colour: 'graphite' },
        price: [17900, 16900],
        sale: [15900, 14900],
        stock: [12, 15],
      },
    ],
  },
  {
    name: 'Paper Filters 02',
    category: 'brewing',
    description: 'Oxygen-bleached paper without a taste of its own. One hundred sheets.',
    variants: [
      {
        name: '100 sheets',
        sku: 'FILT-02',
        attributes: { sheets: '100' },
        price: [790, 690],
        tier: { minQuantity: 10, price: [650, 570] },
      },
    ],
  },
  {
    name: 'Stoneware Cup',
    category: 'cups',
    description: 'Thrown in Portugal, glazed inside, raw outside. Keeps a flat white honest.',
    variants: [
      {
        name: '180 ml',
        sku: 'CUP-180',
        attributes: { size: '180 ml' },
        price: [1900, 1800],
        stock: [64, 12],
      },
      { name: '300 ml', sku: 'CUP-300', attributes: { size: '300 ml' }, price: [2300, 2200], stock: [8, 12] },
    ],
  },
  {
    name: 'Tasting Class',
    category: 'classes',
    description: 'Two hours, six coffees, one long table. Online, with a tasting kit by post.',
    variants: [
      {
        name: 'One seat',
        sku: 'CLASS-TASTE',
        attributes: { place: 'online' },
        price: [4500, 4200],
        stock: [16, 4],
      },
    ],
  },
  {
    name: 'Gift Card',
    category: 'gifts',
    description: 'For people whose taste you do not dare to guess.',
    variants: [
      { name: '25', sku: 'GIFT-25', attributes: { value: '25' }, price: [2500, 2500] },
      { name: '50', sku: 'GIFT-50', attributes: { value: '50' }, price: [5000, 5000] },
    ],
  },
  {
    name: 'Anniversary Lot 10',
    category: 'coffee',
    description: 'Not announced yet: a Gesha for our tenth birthday.',
    status: 'DRAFT',
    variants: [
      {
        name: '100 g',
        sku: 'GESHA-100',
        attributes: { size: '100 g' },
        price: [4200, 3900],
        stock: [50, 10],
      },
    ],
  },
];
