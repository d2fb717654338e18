/** What rows may know of the users that they name. */
export interface Users {
  /** @returns the user names of those of the ids that users of the tenant have */
  named(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}
