import { type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import type { PasswordRecovery } from './recovery.ts'
import { ForgottenPassword, PasswordReset } from './schema.ts'

const common = { tag: 'Authentication', access: 'anonymous', database: 'catalogue', limit: 'strict' } as const

export function recoveryRoutes(recovery: PasswordRecovery): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/forgot-password',
      summary: 'Ask for a new password',
      name: 'forgotPassword',
      description:
        'If there is such a user, a mail with a token goes to the address of the user. The reply does not say whether there is one.',
      mails: true,
      body: ForgottenPassword,
      status: 202,
      reply: Done,
      errors: ['overloaded'],
      handle: async (context, { body }) => {
        recovery.request(context, body)
        return { message: 'If there is such a user, a mail is on its way.' }
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/reset-password',
      summary: 'Set a forgotten password',
      name: 'resetPassword',
      description: 'A token works once, for an hour. Every session of the user ends.',
      body: PasswordReset,
      reply: Done,
      errors: ['overloaded'],
      handle: async (context, { body }) => {
        await recovery.reset(context, body)
        return { message: 'The password is set. Sign in with it.' }
      },
    }),
    route({
      tag: 'Users',
      database: 'catalogue',
      method: 'POST',
      path: '/api/users/:id/password-reset',
      summary: 'Send a user a link for a new password',
      name: 'startPasswordReset',
      description:
        'For a user of the tenant of the request. The password stays valid until the user sets another one. A user who may do what you may not is refused (403).',
      access: 'user:write',
      status: 202,
      reply: Done,
      errors: ['invalid', 'notFound', 'tooManyRequests'],
      handle: async (context, { path }) => {
        await recovery.start(context, path.id)
        return { message: 'A mail is on its way to the user.' }
      },
    }),
  ]
}
