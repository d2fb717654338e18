/**
 * The interface by which features ask about users whose ids are in their rows.
 * @typeParam C the context, a parameter because the type of the context refers to this type
 */
export interface Users<C> {
  /** @returns the user names of those of the ids that belong to users of the tenant */
  named(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Called in the transaction of the catalogue that deletes the user. Rows that name the user are changed afterwards.
   */
  deleted(inside: C, user: { tenantId: string; userId: string }): Promise<void>
}
