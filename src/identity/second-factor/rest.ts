import { type Route, route } from '../../core/feature/route.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { SignIn } from '../session/schema.ts'
import { beginTotp, confirmTotp, getSecondFactors, makeRecoveryCodes, removeTotp } from './own-factor.ts'
import { resetSecondFactors } from './reset.ts'
import {
  EnrolledSignIn,
  MfaEnrollment,
  MfaEnrollmentConfirmation,
  MfaVerification,
  RecoveryCodes,
  SecondFactors,
  TotpConfirmation,
  TotpSecret,
} from './schema.ts'
import { beginEnrollment, confirmEnrollment, verifySecondFactor } from './verify.ts'

const common = { tag: 'Authentication', database: 'catalogue' } as const
const own = { ...common, access: 'user' } as const
const base = '/api/auth/mfa'

export function secondFactorRoutes(tokens: AccessTokens): Route[] {
  return [...signInRoutes(tokens), ...ownRoutes, resetRoute]
}

function signInRoutes(tokens: AccessTokens): Route[] {
  const step = {
    ...common,
    access: 'anonymous',
    method: 'POST',
    errors: ['badCredentials'],
    secret: true,
  } as const
  return [
    route({
      ...step,
      path: `${base}/verify`,
      summary: 'Give the second factor',
      name: 'verifySecondFactor',
      description:
        'Completes a sign-in that was answered with `X-Mfa-Token`. A token is valid for 10 minutes and five codes, and a code works once.',
      body: MfaVerification,
      reply: SignIn,
      errors: ['badCredentials', 'tooManyRequests'],
      handle: (context, { body }) => verifySecondFactor(context, tokens, body),
    }),
    route({
      ...step,
      path: `${base}/enroll`,
      summary: 'Begin a required second factor',
      name: 'beginEnrollment',
      description: 'With the `X-Mfa-Token` of a sign-in for which `X-Mfa-Methods` is `enroll`.',
      body: MfaEnrollment,
      reply: TotpSecret,
      handle: (context, { body }) => beginEnrollment(context, body.token),
    }),
    route({
      ...step,
      path: `${base}/enroll/confirm`,
      summary: 'Confirm a required second factor',
      name: 'confirmEnrollment',
      description: 'Adds the authenticator app, and completes the sign-in.',
      body: MfaEnrollmentConfirmation,
      reply: EnrolledSignIn,
      handle: (context, { body }) => confirmEnrollment(context, tokens, body),
    }),
  ]
}

const ownRoutes: Route[] = [
  route({
    ...own,
    method: 'GET',
    path: base,
    summary: 'Get your second factors',
    name: 'getSecondFactors',
    description: 'An authenticator app, and how many recovery codes are left.',
    reply: SecondFactors,
    handle: getSecondFactors,
  }),
  route({
    ...own,
    method: 'POST',
    path: `${base}/totp`,
    summary: 'Begin to add an authenticator app',
    name: 'beginTotp',
    description: 'The secret is active after a code of it was given, within 30 minutes.',
    status: 201,
    reply: TotpSecret,
    secret: true,
    handle: beginTotp,
  }),
  route({
    ...own,
    method: 'POST',
    path: `${base}/totp/confirm`,
    summary: 'Add the authenticator app',
    name: 'confirmTotp',
    description: 'The app replaces an earlier one. The recovery codes replace earlier ones.',
    body: TotpConfirmation,
    reply: RecoveryCodes,
    secret: true,
    handle: async (context, { body }) => ({ recoveryCodes: await confirmTotp(context, body.code) }),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: `${base}/totp`,
    summary: 'Remove the authenticator app',
    name: 'removeTotp',
    description: 'The last factor cannot be removed where the tenant requires one (400).',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: removeTotp,
  }),
  route({
    ...own,
    method: 'POST',
    path: `${base}/recovery-codes`,
    summary: 'Make new recovery codes',
    name: 'makeRecoveryCodes',
    description: 'Earlier codes no longer work.',
    reply: RecoveryCodes,
    errors: ['invalid'],
    secret: true,
    handle: async (context) => ({ recoveryCodes: await makeRecoveryCodes(context) }),
  }),
]

const resetRoute = route({
  ...common,
  method: 'DELETE',
  tag: 'Users',
  path: '/api/users/:id/mfa',
  summary: 'Remove the second factors of a user',
  name: 'resetSecondFactors',
  description:
    'For a user of the tenant of the request who has lost them. A user who may do what you may not is refused (403), and so is an API key.',
  access: 'user:write',
  status: 204,
  errors: ['notFound'],
  handle: (context, { path }) => resetSecondFactors(context, path.id),
})
