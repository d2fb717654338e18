/** Announces that an owner of subscriptions and rules may do more or less, or is gone. The owner follows the prefix. */
export const ownerChangePrefix = 'owner:'

/** @param owner `user:` or `apiKey:` with the id */
export function ownerChange(owner: string): string {
  return `${ownerChangePrefix}${owner}`
}
