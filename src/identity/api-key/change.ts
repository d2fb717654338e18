/** The announcement that a key was revoked; its digest follows. */
export const keyChangePrefix = 'apiKey:'

export function apiKeyChange(digest: string): string {
  return `${keyChangePrefix}${digest}`
}
