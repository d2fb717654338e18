/** The pages for a forgotten password: asking for a link, and setting a new password. */
import { Type } from 'typebox'
import type { Route } from '../../core/feature/route.ts'
import { html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import type { AccountPages } from '../account-link.ts'
import { MailedReturn } from '../code-exchange/schema.ts'
import type { PasswordRecovery } from '../recovery/recovery.ts'
import { ForgottenPassword, PasswordReset } from '../recovery/schema.ts'
import { newPasswordField } from './fields.ts'
import { formOf } from './form.ts'
import { donePage, LinkQuery, linkNotValid } from './link.ts'
import { pageRoutes } from './page.ts'

const readForgotten = inputReader(ForgottenPassword)
const ForgottenQuery = Type.Object({ returnTo: MailedReturn })

const readReset = inputReader(PasswordReset)

export function recoveryPages(pages: AccountPages, recovery: PasswordRecovery): Route[] {
  return [
    ...pageRoutes(pages, {
      name: 'forgot-password',
      summary: 'Ask for a new password',
      query: ForgottenQuery,
      mails: true,
      show: (_context, { text }, submission) => {
        const { title, introduction, button } = text.forgotPassword
        const field = { name: 'userName', label: text.labels.userNameOrEmail, autocomplete: 'username' }
        const fields = [{ ...field, maxLength: 256 }]
        return { title, body: html`<p>${introduction}</p>${formOf({ fields, button, text, submission })}` }
      },
      submit: async (context, { query, text }, form) => {
        recovery.request(context, readForgotten({ ...form, ...query }))
        const { title, done } = text.forgotPassword
        return { title, body: html`<p role="status">${done}</p>` }
      },
    }),
    ...pageRoutes(pages, {
      name: 'reset-password',
      summary: 'Set a forgotten password',
      query: LinkQuery,
      show: async (context, { query, text, signInUrl }, submission) => {
        const { title, button } = text.resetPassword
        if (!(await recovery.isValid(context, query.token))) return linkNotValid(text, title, signInUrl())
        return { title, body: formOf({ fields: [newPasswordField(text)], button, text, submission }) }
      },
      submit: async (context, { query, text, signInUrl }, form) => {
        const url = signInUrl()
        await recovery.reset(context, readReset({ ...form, token: query.token }))
        const { title, done } = text.resetPassword
        return donePage(text, title, done, url)
      },
    }),
  ]
}
