/** Who is tied to a business: each domain says whom it ties, so that whoever looks for people need not know why. */

/** SQL of one kind of tie. The businesses are a parameter with an array of ids. */
export interface BusinessContactSource {
  /** Selects the ids of the users who are tied to any of the businesses. */
  selectUserIds(businesses: string): string;
  /** Whether the user is tied to any of the businesses. */
  isContact(user: string, businesses: string): string;
  /** The same, if it was the user's own doing; absent where it always is. */
  isVoluntaryContact?(user: string, businesses: string): string;
}

const ties: BusinessContactSource[] = [];
const acts: BusinessContactSource['isContact'][] = [];

export function registerContactSource(tie: BusinessContactSource): void {
  ties.push(tie);
}

/** SQL: the user has done something in any of the businesses, whoever tied them to it. */
export function registerActivitySource(hasActed: BusinessContactSource['isContact']): void {
  acts.push(hasActed);
}

export const contactUserIdsSql = (businesses: string) =>
  ties.map((tie) => tie.selectUserIds(businesses)).join(' union ');

export const isContactSql = (user: string, businesses: string) =>
  `(${ties.map((tie) => tie.isContact(user, businesses)).join(' or ')})`;

/**
 * Whether the user is tied to any of the businesses by their own doing. Others can tie them too, with a role that nobody asked for:
 * that must not show how somebody is reached.
 */
export const isVoluntaryContactSql = (user: string, businesses: string) =>
  `(${[...ties.map(({ isVoluntaryContact: isChosen, isContact: holds }) => isChosen ?? holds), ...acts].map((holds) => holds(user, businesses)).join(' or ')})`;
