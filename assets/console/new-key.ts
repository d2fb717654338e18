/** @returns an idempotency key; on a page without TLS, where browsers have no `randomUUID`, one of time and chance */
export function newKey(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
}
