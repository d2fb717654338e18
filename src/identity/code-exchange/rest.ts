import { type Route, route } from '../../core/feature/route.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { SignIn } from '../session/schema.ts'
import { exchangeCode } from './code-exchange.ts'
import { CodeExchange } from './schema.ts'

export function codeExchangeRoutes(tokens: AccessTokens): Route[] {
  return [
    route({
      tag: 'Authentication',
      database: 'catalogue',
      method: 'POST',
      path: '/api/auth/token',
      summary: 'Exchange the result of a sign-in on a page',
      name: 'exchangeCode',
      description:
        'For sign-ins on the account pages and at identity providers. A code is valid for one minute and for one exchange, by whoever has begun the sign-in.',
      access: 'anonymous',
      body: CodeExchange,
      reply: SignIn,
      errors: ['badCredentials'],
      secret: true,
      handle: (context, { body }) => exchangeCode(context, tokens, body),
    }),
  ]
}
