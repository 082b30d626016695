/** Supported operations of a gateway on several servers. All others are rejected, so that no response lacks rows of another server. */

import { sha256Hex } from '../lib/hash-encrypt-and-random-tokens.ts';
import { isId } from '../lib/ids.ts';
import { isPlainObject } from '../lib/json/plain-objects.ts';

/** Root fields without a business that need accounts, and records that the lists and loaders read from all servers. */
const fieldsWithoutBusiness: ReadonlySet<string> = new Set([
  '__schema',
  '__type',
  '__typename',
  '_entities',
  '_service',
  'businesses',
  'changePassword',
  'claimOrders',
  'confirmEmail',
  'confirmPhoneNumber',
  'createBusiness',
  'exportMe',
  'forgotPassword',
  'login',
  'loginUrl',
  'logout',
  'me',
  'node',
  'nodes',
  'refresh',
  'register',
  'resendConfirmation',
  'resetForgottenPassword',
  'revokeAllSessions',
  'revokeSession',
  'sendPhoneCode',
  'sessions',
  'templateVariables',
  'tryLogin',
  'tryRegister',
  'updateMe',
]);

/** Root fields of a business that work on the home server only. */
const businessFieldsOfHomeServer: ReadonlySet<string> = new Set([
  'requestClients',
  'requestErrors',
  'requestLogSettings',
  'requests',
  'updateRequestLogSettings',
  'usage',
]);

/** Statements that find the business of a record, by root fields whose arguments name the record alone. `$1` is the key of the record. */
const businessOfRecord: Readonly<Record<string, BusinessOfRecord>> = {
  acceptInvitation: {
    statement: 'select business_id from invitations where token_hash = $1',
    keyOf: ({ token }) => (typeof token === 'string' ? sha256Hex(token) : undefined),
  },
  setRole: {
    statement: 'select business_id from roles where id = $1',
    keyOf: ({ input }) =>
      isPlainObject(input) && typeof input.roleId === 'string' && isId(input.roleId)
        ? input.roleId
        : undefined,
  },
};

interface BusinessOfRecord {
  statement: string;
  /** Undefined for invalid arguments: no business has such a record. */
  keyOf(args: Readonly<Record<string, unknown>>): string | undefined;
}

export const findBusinessOfRecordRule = (field: string): BusinessOfRecord | undefined =>
  Object.hasOwn(businessOfRecord, field) ? businessOfRecord[field] : undefined;

/** Root fields that write the accounts and the businesses of the home server in one transaction. */
const fieldsOfHomeServer: ReadonlySet<string> = new Set(['deleteMe']);

export type FieldPlace = 'accounts' | 'home' | 'unsupported';

/** Handle of the home server for a root field that names no business. */
export function placeOfFieldWithoutBusiness(field: string): FieldPlace {
  if (fieldsOfHomeServer.has(field)) return 'home';
  return fieldsWithoutBusiness.has(field) ? 'accounts' : 'unsupported';
}

export const isSupportedOnOtherServers = (field: string): boolean => !businessFieldsOfHomeServer.has(field);
