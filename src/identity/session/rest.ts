import { listRoute } from '../../api/http/reply/list-route.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import { ownPermissions } from '../role/role.ts'
import { CurrentUser } from '../user/schema.ts'
import { signedIn } from '../user/signed-in.ts'
import { getCurrentUser } from '../user/user.ts'
import {
  endOtherSessions,
  endOwnSession,
  endSessionOfUser,
  endSessionsOfUser,
  listOwnSessions,
  listSessionsOfUser,
} from './own-sessions.ts'
import { refresh } from './refresh-token/refresh.ts'
import { LoginInput, LogoutInput, RefreshInput, Session, SignIn, SteppedUp, StepUpInput } from './schema.ts'
import { logOut, type SessionParts } from './session.ts'
import { logIn } from './sign-in.ts'
import { stepUp } from './step-up.ts'

const common = { tag: 'Authentication', database: 'catalogue' } as const

export function sessionRoutes(parts: SessionParts): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Sign in',
      name: 'login',
      description:
        'Without a resolved tenant the user signs in to the host tenant. A user with a second factor gets 401 with `X-Mfa-Token` and `X-Mfa-Methods`, and continues with `POST /api/auth/mfa/verify`.',
      access: 'anonymous',
      body: LoginInput,
      reply: SignIn,
      errors: ['badCredentials', 'secondFactorRequired', 'notFound', 'overloaded'],
      secret: true,
      limit: 'strict',
      signsIn: true,
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
      impersonation: 'allowed', // it ends the access
      body: LogoutInput,
      bodyOptional: true,
      reply: Done,
      handle: async (context, { body }) => {
        await logOut(context, typeof body === 'string' ? body : (body?.refreshToken ?? null))
        return { message: 'You are signed out.' }
      },
    }),
    stepUpRoute(parts),
    currentUserRoute,
  ]
}

function stepUpRoute({ backoff }: SessionParts): Route {
  return route({
    ...common,
    method: 'POST',
    path: '/api/auth/step-up',
    summary: 'Prove again who you are',
    name: 'stepUp',
    description:
      'A request that answers 403 with `X-Step-Up: required` works for 10 minutes afterwards, in this session.',
    access: 'user',
    body: StepUpInput,
    reply: SteppedUp,
    errors: ['tooManyRequests', 'overloaded'],
    handle: (context, { body }) => stepUp(context, backoff, body),
  })
}

const currentUserRoute = route({
  ...common,
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Get the signed-in user',
  name: 'getCurrentUser',
  description: 'Returns the current user, which may differ from the claims of the access token.',
  access: 'user',
  reply: CurrentUser,
  handle: async (context) => {
    const user = await getCurrentUser(context)
    const { impersonator } = signedIn(context)
    return { ...user, permissions: ownPermissions(context), ...(impersonator !== null && { impersonator }) }
  },
})

const own = { tag: 'Authentication', database: 'catalogue', access: 'user' } as const
const ofUser = { tag: 'Users', database: 'catalogue' } as const

export const sessionListRoutes: Route[] = [
  listRoute({
    ...own,
    path: '/api/auth/sessions',
    summary: 'List your sessions',
    name: 'listSessions',
    description: 'Those that have not ended, the last used first.',
    row: Session,
    exampleKey: '2026-01-31T09:30:00.000Z 0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
    isWhole: true,
    read: listOwnSessions,
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End your other sessions',
    name: 'endOtherSessions',
    description: 'All but the session of the access token. Effective on every instance within a second.',
    status: 204,
    handle: endOtherSessions,
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: 'End one of your sessions',
    name: 'endSession',
    description: 'Effective on every instance within a second.',
    status: 204,
    errors: ['notFound'],
    handle: (context, { path }) => endOwnSession(context, path.id),
  }),
  listRoute({
    ...ofUser,
    path: '/api/users/:id/sessions',
    summary: 'List the sessions of a user',
    name: 'listSessionsOfUser',
    description: 'A user who may do what you may not is refused (403).',
    access: 'session:read',
    row: Session,
    exampleKey: '2026-01-31T09:30:00.000Z 0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
    isWhole: true,
    errors: ['notFound'],
    read: (context, request, path) => listSessionsOfUser(context, path['id'] ?? '', request),
  }),
  route({
    ...ofUser,
    method: 'DELETE',
    path: '/api/users/:id/sessions',
    summary: 'End the sessions of a user',
    name: 'endSessionsOfUser',
    description:
      'All but the session of the access token. A user who may do what you may not is refused (403).',
    access: 'session:write',
    status: 204,
    errors: ['notFound'],
    handle: (context, { path }) => endSessionsOfUser(context, path.id),
  }),
  route({
    ...ofUser,
    method: 'DELETE',
    path: '/api/users/:id/sessions/:sessionId',
    summary: 'End a session of a user',
    name: 'endSessionOfUser',
    description: 'A user who may do what you may not is refused (403).',
    access: 'session:write',
    parameterTexts: { sessionId: 'The id of the session' },
    status: 204,
    errors: ['notFound'],
    handle: (context, { path }) => endSessionOfUser(context, path.id, path.sessionId),
  }),
]
