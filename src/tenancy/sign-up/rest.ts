import { Reply, type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { Tenant } from '../schema.ts'
import { approveSignUp, rejectSignUp } from './approval.ts'
import { waitingSignUps } from './readable.ts'
import { SignUpInput, SignUpRejection, SignUpResult, SignUpVerification } from './schema.ts'
import { requestSignUp, type SignUpParts, verifySignUp } from './sign-up.ts'

export function signUpRoutes(parts: SignUpParts): Route[] {
  return [...publicRoutes(parts), ...approvalRoutes(parts.pages)]
}

const byStranger = {
  tag: 'Sign-up',
  database: 'catalogue',
  method: 'POST',
  access: 'anonymous',
  limit: 'strict',
} as const

function publicRoutes(parts: SignUpParts): Route[] {
  return [
    route({
      ...byStranger,
      path: '/api/auth/sign-up',
      summary: 'Sign up a tenant',
      name: 'signUp',
      description:
        'Where `SIGN_UP` allows it: sends a link to the address, which completes the sign-up. The reply does not say whether anybody has used the address.',
      mails: true, // counted by the rate limit of mails as well
      body: SignUpInput,
      status: 202,
      reply: Done,
      errors: ['forbidden', 'notFound', 'overloaded'],
      handle: async (context, { body }) => {
        await requestSignUp(context, parts, body)
        return { message: 'A mail is on its way to the address.' }
      },
    }),
    route({
      ...byStranger,
      path: '/api/auth/sign-up/verify',
      summary: 'Complete a sign-up',
      name: 'verifySignUp',
      description:
        'Creates the tenant and its first administrator, who signs in afterwards; or asks an administrator of the host for approval. A token works once, for one day, with the password of the sign-up.',
      body: SignUpVerification,
      reply: SignUpResult,
      errors: ['forbidden', 'notFound', 'overloaded'],
      handle: (context, { body }) => verifySignUp(context, parts, body),
    }),
  ]
}

const decisions = { tag: 'Sign-up', database: 'catalogue' } as const

const approvalRoutes = (pages: AccountPages): Route[] => [
  waitingSignUps.list,
  waitingSignUps.get,
  route({
    ...decisions,
    method: 'POST',
    path: '/api/sign-ups/:id/approve',
    summary: 'Approve a sign-up',
    description: 'Creates the tenant and its first administrator, and sends a mail. For the host tenant.',
    access: 'sign-up:write',
    status: 201,
    reply: Tenant,
    errors: ['invalid', 'notFound'],
    headers: ['location'],
    handle: async (context, { path }) => {
      const tenant = await approveSignUp(context, pages, path.id)
      return new Reply(tenant, { location: `/api/tenants/${tenant.id}` })
    },
  }),
  route({
    ...decisions,
    method: 'POST',
    path: '/api/sign-ups/:id/reject',
    summary: 'Reject a sign-up',
    description: 'Sends the applicant a mail. For the host tenant.',
    access: 'sign-up:write',
    body: SignUpRejection,
    bodyOptional: true,
    status: 204,
    errors: ['notFound'],
    handle: (context, { path, body }) => rejectSignUp(context, path.id, body ?? {}),
  }),
]
