/** The pages on which a stranger signs up a tenant, and completes the sign-up. */
import { Type } from 'typebox'
import type { Route } from '../../core/feature/route.ts'
import { html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import {
  nameFields,
  newPasswordField,
  passwordField,
  userNameField,
} from '../../identity/account-page/fields.ts'
import { type FormField, formOf } from '../../identity/account-page/form.ts'
import { donePage, LinkQuery, linkNotValid, signInAfter } from '../../identity/account-page/link.ts'
import { pageRoutes } from '../../identity/account-page/page.ts'
import type { AccountText } from '../../identity/account-page/text-en.ts'
import { requireReturn } from '../../identity/code-exchange/code-exchange.ts'
import { MailedReturn } from '../../identity/code-exchange/schema.ts'
import { SignUpInput, SignUpVerification } from './schema.ts'
import { isSignUpToken, requestSignUp, requireSignUp, type SignUpParts, verifySignUp } from './sign-up.ts'

const SignUpQuery = Type.Object({ returnTo: MailedReturn })

const readSignUp = inputReader(SignUpInput)
const readVerification = inputReader(SignUpVerification)

export function signUpPages(parts: SignUpParts): Route[] {
  return [
    ...pageRoutes(parts.pages, {
      name: 'sign-up',
      summary: 'Sign up a tenant',
      query: SignUpQuery,
      mails: true, // counted by the rate limit of mails as well
      show: (context, { text }, submission) => {
        requireSignUp(context, parts.mode)
        const { title, introduction, button } = text.signUp
        const form = formOf({ fields: fieldsOf(text), button, text, submission })
        return { title, body: html`<p>${introduction}</p>${form}` }
      },
      submit: async (context, { query, text }, { subdomain = '', ...form }) => {
        const input = { ...form, ...query, ...(subdomain !== '' && { subdomain }) }
        await requestSignUp(context, parts, readSignUp(input))
        const { title, done } = text.signUp
        return { title, body: html`<p role="status">${done}</p>` }
      },
    }),
    ...pageRoutes(parts.pages, {
      name: 'verify-sign-up',
      summary: 'Complete a sign-up',
      query: LinkQuery,
      show: async (context, { query, text, signInUrl }, submission) => {
        requireSignUp(context, parts.mode)
        const { title, introduction, button } = text.verifySignUp
        if (!(await isSignUpToken(context, query.token))) return linkNotValid(text, title, signInUrl())
        const form = formOf({ fields: [passwordField(text)], button, text, submission })
        return { title, body: html`<p>${introduction}</p>${form}` }
      },
      submit: async (context, { query, text }, form) => {
        const input = readVerification({ ...form, token: query.token })
        requireReturn(parts.pages, query.returnTo)
        const { tenantId, userName, signInUrl } = await verifySignUp(context, parts, input)
        const { title, done, waiting } = text.verifySignUp
        const message = tenantId === null ? waiting : done(userName, tenantId)
        const url = signInUrl === null ? null : signInAfter(parts.pages, query, signInUrl)
        return donePage(text, title, message, url)
      },
    }),
  ]
}

function fieldsOf(text: AccountText): FormField[] {
  const { labels, signUp } = text
  const { tenantName, subdomain, email } = signUp.labels
  return [
    { name: 'tenantName', label: tenantName, autocomplete: 'organization', maxLength: 200 },
    {
      name: 'subdomain',
      label: subdomain,
      autocomplete: 'off',
      hint: signUp.subdomainHint,
      maxLength: 63,
      isOptional: true,
    },
    ...nameFields(text),
    { name: 'email', label: email, autocomplete: 'email', maxLength: 256 },
    userNameField(text),
    { ...newPasswordField(text), label: labels.password },
  ]
}
