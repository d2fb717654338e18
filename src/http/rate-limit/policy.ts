/** So many requests of a client in any period of so many seconds. */
export interface Policy {
  name: string
  requests: number
  seconds: number
}

/** Specification, section 8. */
export const strict: Policy = { name: 'strict', requests: 5, seconds: 10 }

/** `RateLimit-Policy` as in the IETF draft. */
export function policyHeader({ name, requests, seconds }: Policy): string {
  return `"${name}";q=${requests};w=${seconds}`
}
