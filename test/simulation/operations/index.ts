/** All that can happen, how often, and who mostly does it. */
import type { ActorName } from '../world.ts';
import * as buying from './checkout.ts';
import * as content from './entries.ts';
import * as graph from './graphql-documents.ts';
import * as orders from './orders.ts';
import * as people from './staff-and-promo-codes.ts';
import type { PlayOperation } from './operation.ts';
import * as products from './products.ts';
import * as provider from './payment-provider.ts';
import * as reading from './reads.ts';
import * as told from './scenarios.ts';
import * as subscriptions from './subscriptions.ts';

interface Operation {
  play: PlayOperation;
  weight: number;
  by: readonly ActorName[];
}

const staff: ActorName[] = ['admin', 'manager', 'key', 'rival'];
const writers: ActorName[] = ['admin', 'manager', 'editor', 'key', 'rival', 'rival editor'];
const buyers: ActorName[] = ['customer', 'other customer', 'guest'];
const admins: ActorName[] = ['admin', 'rival'];
const anybody: ActorName[] = [
  'admin',
  'editor',
  'helper',
  'rival',
  'rival editor',
  'customer',
  'guest',
  'stranger',
];
const nobody: ActorName[] = ['nobody'];

/** Several things in a row; every walk begins with them. */
export const scenarios = {
  cancelWithPromo: { play: told.cancelWithPromo, weight: 1, by: buyers },
  cancelAfterRestock: { play: told.cancelAfterRestock, weight: 1, by: buyers },
  editBeforePaying: { play: told.editBeforePaying, weight: 1, by: buyers },
  wrongSum: { play: told.payWrongAmountThenRight, weight: 1, by: buyers },
  failedRefund: { play: told.failedRefund, weight: 1, by: buyers },
  sellOut: { play: told.sellOut, weight: 1, by: buyers },
  writeAboutDraft: { play: told.publishEntryAboutDraft, weight: 0.5, by: buyers },
  joinEachPlan: { play: told.subscribeToEachPlan, weight: 0.5, by: buyers },
  fillShelf: { play: told.fillCatalogue, weight: 0.5, by: buyers },
} as const satisfies Record<string, Operation>;

export const operations = {
  ...scenarios,
  createProduct: { play: products.createProduct, weight: 7, by: staff },
  updateProduct: { play: products.updateProduct, weight: 7, by: staff },
  adjustStock: { play: products.adjustStock, weight: 5, by: staff },
  deleteProduct: { play: products.deleteProduct, weight: 1, by: staff },
  quote: { play: buying.quote, weight: 4, by: buyers },
  checkout: { play: buying.checkout, weight: 12, by: buyers },
  createOrder: { play: orders.createOrder, weight: 3, by: staff },
  updateOrder: { play: orders.updateOrder, weight: 6, by: staff },
  setOrderStatus: { play: orders.setOrderStatus, weight: 7, by: staff },
  setPaymentStatus: { play: orders.setPaymentStatus, weight: 2, by: staff },
  refundOrder: { play: orders.refundOrder, weight: 9, by: staff },
  paymentLink: { play: orders.paymentLink, weight: 5, by: [...buyers, 'admin', 'manager'] },
  onPage: { play: provider.actOnPaymentPage, weight: 12, by: nobody },
  payAnotherSum: { play: provider.payWrongAmount, weight: 2, by: nobody },
  failRefund: { play: provider.failRefund, weight: 2, by: nobody },
  tellAgain: { play: provider.redeliverEvent, weight: 4, by: nobody },
  loseEvents: { play: provider.loseEvents, weight: 1, by: nobody },
  work: { play: provider.runJobs, weight: 9, by: nobody },
  expire: { play: provider.expireOrders, weight: 2, by: nobody },
  askProvider: { play: provider.reconcile, weight: 1, by: nobody },
  passTime: { play: provider.advanceTime, weight: 2, by: nobody },
  createEntry: { play: content.createEntry, weight: 4, by: writers },
  updateEntry: { play: content.updateEntry, weight: 4, by: writers },
  deleteEntry: { play: content.deleteEntry, weight: 1, by: writers },
  subscribe: { play: subscriptions.subscribe, weight: 4, by: buyers },
  changeSubscription: { play: subscriptions.changeSubscription, weight: 3, by: nobody },
  atTheBank: { play: subscriptions.billSubscription, weight: 3, by: nobody },
  renew: { play: subscriptions.runRenewals, weight: 1, by: nobody },
  sendEntry: { play: content.sendEntry, weight: 1, by: writers },
  setRole: { play: people.setRole, weight: 1, by: admins },
  leave: { play: people.leaveBusiness, weight: 0.5, by: nobody },
  endSession: { play: people.endSession, weight: 2, by: nobody },
  createPromo: { play: people.createPromo, weight: 2, by: admins },
  deletePromo: { play: people.deletePromo, weight: 0.5, by: admins },
  readProducts: { play: reading.readProducts, weight: 4, by: anybody },
  readOrders: { play: reading.readOrders, weight: 6, by: [...anybody, ...staff] },
  readEntries: { play: reading.readEntries, weight: 3, by: anybody },
  readGraph: { play: graph.readGraphql, weight: 6, by: anybody },
  heavyDocument: { play: graph.sendOversizedDocument, weight: 1.5, by: anybody },
  readForStaff: { play: reading.readStaffLists, weight: 2, by: [...anybody, ...admins] },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
