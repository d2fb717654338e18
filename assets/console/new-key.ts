/** @returns an idempotency key; where a page is not encrypted, the browser makes no better one */
export function newKey(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
}
