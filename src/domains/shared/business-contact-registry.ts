/** Registry of business contacts: each domain registers which users are contacts of a business (customers, staff, ...), so that people search needs no knowledge of the domains. */

/** SQL of one kind of contact. `businesses` is a parameter with an array of business ids. */
export interface BusinessContactSource {
  /** Query for the user ids of the contacts of any of the businesses. */
  selectUserIds(businesses: string): string;
  /** Condition: the user is a contact of any of the businesses. */
  isContact(user: string, businesses: string): string;
  /** Like `isContact`, but only through an action of the user. Omitted where that is always the case. */
  isVoluntaryContact?(user: string, businesses: string): string;
}

const contactSources: BusinessContactSource[] = [];
const activitySources: BusinessContactSource['isContact'][] = [];

export function registerBusinessContactSource(source: BusinessContactSource): void {
  contactSources.push(source);
}

/** Registers an SQL condition: the user has acted in any of the businesses. */
export function registerUserActivityCondition(hasActed: BusinessContactSource['isContact']): void {
  activitySources.push(hasActed);
}

export const buildBusinessContactUserIdsQuerySql = (businesses: string) =>
  contactSources.map((source) => source.selectUserIds(businesses)).join(' union ');

export const buildBusinessContactConditionSql = (user: string, businesses: string) =>
  `(${contactSources.map((source) => source.isContact(user, businesses)).join(' or ')})`;

/**
 * SQL condition: the user became a contact of any of the businesses by their own action. Staff can also add a user without consent, by
 * assigning a role; that must not reveal the contact details of the user.
 */
export const buildVoluntaryBusinessContactConditionSql = (user: string, businesses: string) =>
  `(${[...contactSources.map(({ isVoluntaryContact, isContact }) => isVoluntaryContact ?? isContact), ...activitySources].map((condition) => condition(user, businesses)).join(' or ')})`;
