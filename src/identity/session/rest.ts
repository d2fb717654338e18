import { type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import { ownPermissions } from '../role/role.ts'
import { CurrentUser } from '../user/schema.ts'
import { signedIn } from '../user/signed-in.ts'
import { getUser } from '../user/user.ts'
import { LoginInput, LogoutInput, RefreshInput, SignIn } from './schema.ts'
import { logOut, refresh, type SessionParts } from './session.ts'
import { logIn } from './sign-in.ts'

const common = { tag: 'Authentication', database: 'catalogue', status: 200 } as const

export function sessionRoutes(parts: SessionParts): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Sign in',
      name: 'login',
      description: 'Without a resolved tenant the user signs in to the host tenant.',
      access: 'anonymous',
      body: LoginInput,
      reply: SignIn,
      errors: ['badCredentials', 'notFound', 'overloaded'],
      secret: true,
      limit: 'strict',
      handle: (context, { body }) => logIn(context, parts, body),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'Exchange a refresh token',
      name: 'refreshTokens',
      description: 'A refresh token is valid once. Reusing it more than 10 s later ends its whole session.',
      access: 'anonymous',
      body: RefreshInput,
      reply: SignIn,
      errors: ['badRefreshToken'],
      secret: true,
      handle: (context, { body }) =>
        refresh(context, parts, typeof body === 'string' ? body : body.refreshToken),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/logout',
      summary: 'Sign out',
      name: 'logout',
      description:
        'Ends the session of the access token on every instance within a second. A refresh token of the same user in the body ends that session as well.',
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
      summary: 'Get the signed-in user',
      name: 'getCurrentUser',
      description: 'Returns the current user, which may differ from the claims of the access token.',
      access: 'user',
      reply: CurrentUser,
      handle: async (context) => {
        const user = await getUser(context, signedIn(context).id)
        return { ...user, permissions: ownPermissions(context) }
      },
    }),
  ]
}
