import { unauthorized } from '../errors.ts'
import { type Route, route } from '../http/route.ts'
import { Done } from '../schema.ts'
import { SignedInUser } from '../user/schema.ts'
import { getUser } from '../user/user.ts'
import { LoginInput, LogoutInput, RefreshInput, SignIn } from './schema.ts'
import { logIn, logOut, refresh, type SessionParts } from './session.ts'

const common = { tag: 'Authentication', database: 'catalogue', status: 200 } as const

export function sessionRoutes(parts: SessionParts): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Sign in',
      description: 'Without a resolved tenant the sign-in is to the host tenant.',
      access: 'anonymous',
      body: LoginInput,
      reply: SignIn,
      errors: ['badCredentials', 'notFound', 'overloaded'],
      limit: 'strict',
      handle: (context, { body }) => logIn(context, parts, body),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'Exchange a refresh token',
      description: 'The token is used up; a reuse more than 10 s later ends its whole session.',
      access: 'anonymous',
      body: RefreshInput,
      reply: SignIn,
      errors: ['badRefreshToken'],
      handle: (context, { body }) =>
        refresh(context, parts, typeof body === 'string' ? body : body.refreshToken),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/logout',
      summary: 'Sign out',
      access: 'user',
      body: LogoutInput,
      bodyOptional: true,
      reply: Done,
      handle: async (context, { body }) => {
        await logOut(context, typeof body === 'string' ? body : (body?.refreshToken ?? null))
        return { message: 'You are signed out.' }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/api/auth/me',
      summary: 'Get the user who is signed in',
      access: 'user',
      reply: SignedInUser,
      handle: (context) => {
        if (context.actor === null) throw unauthorized('none')
        return getUser(context, context.actor.id)
      },
    }),
  ]
}
