/** Who is tied to a business: each domain says whom it ties, so that whoever looks for people need not know why. */

/** SQL of one kind of tie. The businesses are a parameter with an array of ids. */
export interface Tie {
  /** Selects the ids of the users who are tied to any of the businesses. */
  people(businesses: string): string;
  /** Whether the user is tied to any of the businesses. */
  holds(user: string, businesses: string): string;
}

const ties: Tie[] = [];

export function addTie(tie: Tie): void {
  ties.push(tie);
}

export const tiedPeople = (businesses: string) => ties.map((tie) => tie.people(businesses)).join(' union ');

export const isTied = (user: string, businesses: string) =>
  `(${ties.map((tie) => tie.holds(user, businesses)).join(' or ')})`;
