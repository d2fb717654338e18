/** The exchange of a code, with which a sign-in on a page returns to the application, for a session. */
import type { Feature } from '../../core/feature/feature.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { codeExchangeRoutes } from './rest.ts'

export function codeExchangeFeature(tokens: AccessTokens): Feature {
  return { name: 'code-exchange', routes: codeExchangeRoutes(tokens) }
}
