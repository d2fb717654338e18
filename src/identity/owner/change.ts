/** The prefix of the announcement that an owner of subscriptions and rules has other rights, or is deleted. */
export const ownerChangePrefix = 'owner:'

/** @param owner `user:` or `apiKey:` with the id */
export function ownerChange(owner: string): string {
  return `${ownerChangePrefix}${owner}`
}
