/** Products of the demo shop. */

interface Amounts {
  usd: number;
  eur: number;
}

export interface DemoVariant {
  name: string;
  sku: string;
  attributes: Record<string, string>;
  usd: number;
  eur: number;
  /** Original prices (`compareAtPrice`). */
  was?: Amounts;
  /** Sale price, quantity discount, and price for the wholesale group. */
  sale?: Amounts;
  tier?: Amounts & { minQuantity: number };
  wholesale?: Amounts;
  /** Units in stock; undefined: not tracked. */
  stock?: number;
  low?: number;
}

interface DemoProduct {
  name: string;
  category: string;
  description: string;
  status?: 'ACTIVE' | 'DRAFT';
  variants: DemoVariant[];
}

const bag = (sku: string, usd: number, eur: number, stock: number): DemoVariant[] => [
  { name: '250 g', sku: `${sku}-250`, attributes: { size: '250 g' }, usd, eur, stock, low: 20 },
  {
    name: '1 kg',
    sku: `${sku}-1000`,
    attributes: { size: '1 kg' },
    usd: Math.round(usd * 3.4),
    eur: Math.round(eur * 3.4),
    stock: Math.floor(stock / 3),
    low: 10,
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
        usd: 1290,
        eur: 1190,
        was: { usd: 1490, eur: 1390 },
        stock: 400,
        low: 50,
      },
      {
        name: '1 kg',
        sku: 'HOUSE4-1000',
        attributes: { size: '1 kg' },
        usd: 3990,
        eur: 3690,
        was: { usd: 4690, eur: 4290 },
        wholesale: { usd: 3390, eur: 3190 },
        stock: 120,
        low: 20,
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
        usd: 2400,
        eur: 2200,
        stock: 75,
        low: 10,
      },
      {
        name: 'Black',
        sku: 'DRIP-BLK',
        attributes: { colour: 'black' },
        usd: 2400,
        eur: 2200,
        stock: 3,
        low: 10,
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
        usd: 8900,
        eur: 7900,
        was: { usd: 10900, eur: 9900 },
        stock: 34,
        low: 5,
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
        usd: 17900,
        eur: 16900,
        sale: { usd: 15900, eur: 14900 },
        stock: 12,
        low: 15,
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
        usd: 790,
        eur: 690,
        tier: { minQuantity: 10, usd: 650, eur: 570 },
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
        usd: 1900,
        eur: 1800,
        stock: 64,
        low: 12,
      },
      {
        name: '300 ml',
        sku: 'CUP-300',
        attributes: { size: '300 ml' },
        usd: 2300,
        eur: 2200,
        stock: 8,
        low: 12,
      },
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
        usd: 4500,
        eur: 4200,
        stock: 16,
        low: 4,
      },
    ],
  },
  {
    name: 'Gift Card',
    category: 'gifts',
    description: 'For people whose taste you do not dare to guess.',
    variants: [
      { name: '25', sku: 'GIFT-25', attributes: { value: '25' }, usd: 2500, eur: 2500 },
      { name: '50', sku: 'GIFT-50', attributes: { value: '50' }, usd: 5000, eur: 5000 },
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
        usd: 4200,
        eur: 3900,
        stock: 50,
        low: 10,
      },
    ],
  },
];
