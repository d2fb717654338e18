/** How large the body of a route may be: small for callers who do not say who they are. */
import type { Access, Route } from '../../core/feature/route.ts'

export interface BodyLimits {
  /** Of a caller with a token. */
  known: number
  anonymous: number
}

/** Beside `BODY_LIMIT_BYTES`. Who signs in sends a few hundred bytes; a GraphQL document without a token may be longer. */
export const anonymousBytes: Readonly<Record<Access, number>> = {
  anonymous: 16 * 1024,
  public: 64 * 1024,
  user: 0,
  admin: 0,
}

/** @param limitBytes what is configured */
export function bodyLimits({ access, anonymousBodyBytes, rawBody }: Route, limitBytes: number): BodyLimits {
  if (rawBody !== undefined) return { known: rawBody.limitBytes, anonymous: rawBody.limitBytes }
  const anonymous = Math.min(limitBytes, anonymousBodyBytes ?? anonymousBytes[access])
  return { known: limitBytes, anonymous }
}
