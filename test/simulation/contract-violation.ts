/** Error that reports behaviour which the contract does not allow. */

export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
  /** Identifies the violation, regardless of the steps that lead to it. */
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

export function assertContract(condition: boolean, kind: string, message: () => string): asserts condition {
  if (!condition) throw new ContractViolation(kind, message());
}
