/** Who is tied to a business: each domain says whom it ties, so that whoever looks for people need not know why. */

/** SQL of one kind of tie. The businesses are a parameter with an array of ids. */
export interface Tie {
  /** Selects the ids of the users who are tied to any of the businesses. */
  people(businesses: string): string;
  /** Whether the user is tied to any of the businesses. */
  holds(user: string, businesses: string): string;
  /** The same, if it was the user's own doing; absent where it always is. */
  isChosen?(user: string, businesses: string): string;
}

const ties: Tie[] = [];
const acts: Tie['holds'][] = [];

export function addTie(tie: Tie): void {
  ties.push(tie);
}

/** SQL: the user has done something in any of the businesses, whoever tied them to it. */
export function addAct(hasActed: Tie['holds']): void {
  acts.push(hasActed);
}

export const tiedPeople = (businesses: string) => ties.map((tie) => tie.people(businesses)).join(' union ');

export const isTied = (user: string, businesses: string) =>
  `(${ties.map((tie) => tie.holds(user, businesses)).join(' or ')})`;

/**
 * Whether the user is tied to any of the businesses by their own doing. Others can tie them too, with a role that nobody asked for:
 * that must not show how somebody is reached.
 */
export const isTiedByChoice = (user: string, businesses: string) =>
  `(${[...ties.map(({ isChosen, holds }) => isChosen ?? holds), ...acts].map((holds) => holds(user, businesses)).join(' or ')})`;
