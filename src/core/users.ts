/** What rows may know of the users that they name. @typeParam C the context, whose type names this one */
export interface Users<C> {
  /** @returns the user names of those of the ids that users of the tenant have */
  named(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** In the transaction of the catalogue that deletes the user: rows that name the user are changed afterwards. */
  deleted(inside: C, user: { tenantId: string; userId: string }): Promise<void>
}
