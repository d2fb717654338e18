import { type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import type { AccountPages } from '../account-link.ts'
import { requestEmail, verifyEmail } from './email-address.ts'
import { EmailChange, EmailVerification } from './schema.ts'

export function emailAddressRoutes(pages: AccountPages): Route[] {
  return [
    route({
      tag: 'Users',
      database: 'catalogue',
      method: 'PUT',
      path: '/api/users/me/email',
      summary: 'Change or verify your own address',
      name: 'changeOwnEmail',
      description:
        'Sends a link to the address, and a notice to the present one. The address changes when `POST /api/auth/verify-email` gets the token of the link. With the present address the link verifies it. Another address requires a recent sign-in.',
      access: 'user',
      body: EmailChange,
      status: 202,
      reply: Done,
      errors: ['tooManyRequests'],
      handle: async (context, { body }) => {
        await requestEmail(context, pages, body.email)
        return { message: 'A mail is on its way to the address.' }
      },
    }),
    route({
      tag: 'Authentication',
      database: 'catalogue',
      method: 'POST',
      path: '/api/auth/verify-email',
      summary: 'Verify an address',
      name: 'verifyEmail',
      description: 'A token works once, for one day. Sessions go on.',
      access: 'anonymous',
      body: EmailVerification,
      reply: Done,
      limit: 'strict',
      handle: async (context, { body }) => {
        await verifyEmail(context, body.token)
        return { message: 'The address is verified.' }
      },
    }),
  ]
}
