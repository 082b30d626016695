/** All operations of a walk with their weights and usual actors. */
import type { ActorName } from '../world.ts';
import * as buying from './checkout.ts';
import * as interruptions from './deadline-and-erasure-scenarios.ts';
import * as changes from './deletion-and-price-scenarios.ts';
import * as content from './entries.ts';
import * as graph from './graphql-documents.ts';
import * as money from './money-scenarios.ts';
import type { PlayOperation } from './operation.ts';
import * as orderMoney from './order-money.ts';
import * as orders from './orders.ts';
import * as provider from './payment-provider.ts';
import * as products from './products.ts';
import * as reading from './reads.ts';
import * as scenarioOperations from './scenarios.ts';
import * as people from './staff-and-promo-codes.ts';
import * as subscriptions from './subscriptions.ts';

interface Operation {
  play: PlayOperation;
  weight: number;
  actors: readonly ActorName[];
}

const staff: ActorName[] = ['admin', 'manager', 'key', 'rival'];
const writers: ActorName[] = ['admin', 'manager', 'editor', 'key', 'rival', 'rival editor'];
const buyers: ActorName[] = ['customer', 'other customer', 'guest'];
const admins: ActorName[] = ['admin', 'rival'];
const readers: ActorName[] = [
  'admin',
  'editor',
  'helper',
  'rival',
  'rival editor',
  'customer',
  'guest',
  'stranger',
];
const anonymous: ActorName[] = ['anonymous'];

/** Scripted sequences; every walk begins with them. */
export const scenarios = {
  cancelWithPromo: { play: scenarioOperations.cancelWithPromo, weight: 1, actors: buyers },
  cancelAfterRestock: { play: scenarioOperations.cancelAfterRestock, weight: 1, actors: buyers },
  editBeforePaying: { play: scenarioOperations.editBeforePaying, weight: 1, actors: buyers },
  payWrongAmountThenRight: { play: scenarioOperations.payWrongAmountThenRight, weight: 1, actors: buyers },
  failedRefund: { play: scenarioOperations.failedRefund, weight: 1, actors: buyers },
  sellOut: { play: scenarioOperations.sellOut, weight: 1, actors: buyers },
  publishEntryAboutDraft: { play: scenarioOperations.publishEntryAboutDraft, weight: 0.5, actors: buyers },
  subscribeToEachPlan: { play: scenarioOperations.subscribeToEachPlan, weight: 0.5, actors: buyers },
  editOrderOfTwoRates: { play: money.editOrderOfTwoRates, weight: 0.5, actors: buyers },
  editLinesOfOneVariant: { play: money.editLinesOfOneVariant, weight: 0.5, actors: buyers },
  endUnpaidOrder: { play: money.endUnpaidOrder, weight: 0.5, actors: buyers },
  addGoodsToFreeOrder: { play: money.addGoodsToFreeOrder, weight: 0.5, actors: buyers },
  unsubscribeBeforePaying: { play: money.unsubscribeBeforePaying, weight: 0.5, actors: buyers },
  refundWithoutResponse: { play: money.refundWithoutResponse, weight: 0.5, actors: buyers },
  retryAsOperator: { play: money.retryAsOperator, weight: 0.5, actors: buyers },
  refundWhileProviderHangs: { play: interruptions.refundWhileProviderHangs, weight: 0.2, actors: buyers },
  checkoutWhileProviderHangs: { play: interruptions.checkoutWhileProviderHangs, weight: 0.2, actors: buyers },
  returnUnits: { play: interruptions.returnUnits, weight: 0.5, actors: buyers },
  deleteAccount: { play: interruptions.deleteAccount, weight: 0.3, actors: buyers },
  deleteNewsletterBeforePaying: { play: changes.deleteNewsletterBeforePaying, weight: 0.3, actors: buyers },
  deleteBusinessBeforePaying: { play: changes.deleteBusinessBeforePaying, weight: 0.2, actors: buyers },
  makeUnpaidOrderFree: { play: changes.makeUnpaidOrderFree, weight: 0.3, actors: buyers },
  editLineBelowTier: { play: changes.editLineBelowTier, weight: 0.3, actors: buyers },
  changeMarketCurrency: { play: changes.changeMarketCurrency, weight: 0.2, actors: buyers },
  lowerTotalAfterRefund: { play: orderMoney.lowerTotalAfterRefund, weight: 0.3, actors: buyers },
  fillCatalogue: { play: scenarioOperations.fillCatalogue, weight: 0.5, actors: buyers },
} as const satisfies Record<string, Operation>;

export const operations = {
  ...scenarios,
  createProduct: { play: products.createProduct, weight: 7, actors: staff },
  updateProduct: { play: products.updateProduct, weight: 7, actors: staff },
  adjustStock: { play: products.adjustStock, weight: 5, actors: staff },
  deleteProduct: { play: products.deleteProduct, weight: 1, actors: staff },
  quote: { play: buying.quote, weight: 4, actors: buyers },
  checkout: { play: buying.checkout, weight: 12, actors: buyers },
  createOrder: { play: orders.createOrder, weight: 3, actors: staff },
  updateOrder: { play: orders.updateOrder, weight: 6, actors: staff },
  setOrderStatus: { play: orders.setOrderStatus, weight: 7, actors: staff },
  setPaymentStatus: { play: orders.setPaymentStatus, weight: 2, actors: staff },
  refundOrder: { play: orders.refundOrder, weight: 9, actors: staff },
  paymentLink: { play: orders.paymentLink, weight: 5, actors: [...buyers, 'admin', 'manager'] },
  actOnPaymentPage: { play: provider.actOnPaymentPage, weight: 12, actors: anonymous },
  payWrongAmount: { play: provider.payWrongAmount, weight: 2, actors: anonymous },
  failRefund: { play: provider.failRefund, weight: 2, actors: anonymous },
  redeliverEvent: { play: provider.redeliverEvent, weight: 4, actors: anonymous },
  loseEvents: { play: provider.loseEvents, weight: 1, actors: anonymous },
  runJobs: { play: provider.runJobs, weight: 9, actors: anonymous },
  expireOrders: { play: provider.expireOrders, weight: 2, actors: anonymous },
  reconcile: { play: provider.reconcile, weight: 1, actors: anonymous },
  advanceTime: { play: provider.advanceTime, weight: 2, actors: anonymous },
  createEntry: { play: content.createEntry, weight: 4, actors: writers },
  updateEntry: { play: content.updateEntry, weight: 4, actors: writers },
  deleteEntry: { play: content.deleteEntry, weight: 1, actors: writers },
  subscribe: { play: subscriptions.subscribe, weight: 4, actors: buyers },
  changeSubscription: { play: subscriptions.changeSubscription, weight: 3, actors: anonymous },
  billSubscription: { play: subscriptions.billSubscription, weight: 3, actors: anonymous },
  runRenewals: { play: subscriptions.runRenewals, weight: 1, actors: anonymous },
  sendEntry: { play: content.sendEntry, weight: 1, actors: writers },
  setRole: { play: people.setRole, weight: 1, actors: admins },
  leaveBusiness: { play: people.leaveBusiness, weight: 0.5, actors: anonymous },
  endSession: { play: people.endSession, weight: 2, actors: anonymous },
  createPromo: { play: people.createPromo, weight: 2, actors: admins },
  deletePromo: { play: people.deletePromo, weight: 0.5, actors: admins },
  readProducts: { play: reading.readProducts, weight: 4, actors: readers },
  readOrders: { play: reading.readOrders, weight: 6, actors: [...readers, ...staff] },
  readEntries: { play: reading.readEntries, weight: 3, actors: readers },
  readGraphql: { play: graph.readGraphql, weight: 6, actors: readers },
  sendOversizedDocument: { play: graph.sendOversizedDocument, weight: 1.5, actors: readers },
  readStaffLists: { play: reading.readStaffLists, weight: 2, actors: [...readers, ...admins] },
  editAmounts: { play: orderMoney.editAmounts, weight: 5, actors: anonymous },
  shipUnits: { play: orderMoney.shipUnits, weight: 4, actors: anonymous },
  returnGoods: { play: orderMoney.returnGoods, weight: 5, actors: anonymous },
  retryRefunds: { play: orderMoney.retryRefunds, weight: 2, actors: anonymous },
  refundAtProvider: { play: orderMoney.refundAtProvider, weight: 2, actors: anonymous },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
