/**
 * What rows may know of the users that they name. @typeParam C the type of context, which itself refers to this type
 */
export interface Users<C> {
  /** @returns the user names of those of the ids that belong to users of the tenant */
  named(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Called in the transaction of the catalogue that deletes the user. Rows that name the user are changed afterwards.
   */
  deleted(inside: C, user: { tenantId: string; userId: string }): Promise<void>
}
