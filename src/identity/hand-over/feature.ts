import type { Feature } from '../../core/feature/feature.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { handOverRoutes } from './rest.ts'

export function handOverFeature(tokens: AccessTokens): Feature {
  return { name: 'hand-over', routes: handOverRoutes(tokens) }
}
