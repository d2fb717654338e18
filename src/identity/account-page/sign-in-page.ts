/** The page on which users sign in, for an application that has sent the browser there. */
import type { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import type { ServiceError } from '../../core/errors.ts'
import type { Route } from '../../core/feature/route.ts'
import { type Html, html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import { issueCode, type ReturnOptions, returnAddress } from '../hand-over/hand-over.ts'
import { SignInStart } from '../hand-over/schema.ts'
import { maxPasswordLength } from '../password/schema.ts'
import { MfaVerification } from '../second-factor/schema.ts'
import { completeWithCode } from '../second-factor/verify.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { LoginInput } from '../session/schema.ts'
import type { SignInMethod } from '../session/session.ts'
import { signInWith } from '../session/sign-in.ts'
import { signsInAtProvider } from '../single-sign-on/configuration.ts'
import type { Account } from '../user/account.ts'
import { type FormField, formOf, type Submission } from './form.ts'
import type { PageContent } from './layout.ts'
import { type PageInput, pageRoutes } from './page.ts'

const readCredentials = inputReader(LoginInput)
const readCode = inputReader(MfaVerification)

export interface SignInPageParts extends ReturnOptions {
  backoff: SignInBackoff
}

type Query = Type.Static<typeof SignInStart>

export function signInPages(parts: SignInPageParts): Route[] {
  return pageRoutes({
    name: 'sign-in',
    summary: 'Sign in',
    query: SignInStart,
    signsIn: true,
    show: async (context, input, submission) => {
      const target = returnAddress(parts, input.query.returnTo)
      const token = mfaToken(submission)
      const content =
        token === null ? await passwordForm(context, input, submission) : codeForm(input, submission, token)
      return { ...content, formTarget: target.origin }
    },
    submit: async (context, { query }, form) => {
      const target = returnAddress(parts, query.returnTo)
      const { codeChallenge } = query
      const complete = (inside: Context, { id }: Account, methods: SignInMethod[] = ['pwd']) =>
        issueCode(inside, id, { codeChallenge, methods })
      const code =
        form['token'] === undefined
          ? await signInWith(context, parts.backoff, readCredentials(form), complete)
          : await completeWithCode(context, readCode(form), complete)
      target.searchParams.set('sign_in_code', code)
      target.searchParams.set('tenant', context.tenant.id)
      return target
    },
  })
}

async function passwordForm(
  context: Context,
  { query, text }: PageInput<Query>,
  submission: Submission | null,
): Promise<PageContent> {
  const { labels, signIn } = text
  const { id: tenant } = context.tenant
  const fields: FormField[] = [
    {
      name: 'userName',
      label: labels.userNameOrEmail,
      autocomplete: 'username',
      value: query.loginHint ?? '',
      maxLength: 256,
    },
    {
      name: 'password',
      label: labels.password,
      type: 'password',
      autocomplete: 'current-password',
      maxLength: maxPasswordLength,
    },
  ]
  const form = formOf({ fields, button: signIn.button, text, submission })
  const forgotten = `/account/forgot-password?${new URLSearchParams({ tenant })}`
  const atProvider = (await signsInAtProvider(context))
    ? providerLink(tenant, query, signIn.atProvider)
    : null
  return {
    title: signIn.title,
    body: html`${atProvider}${form}<p><a href="${forgotten}">${signIn.forgotten}</a></p>`,
  }
}

function providerLink(tenant: string, query: Query, label: string): Html {
  const address = `/api/auth/sso/${encodeURIComponent(tenant)}/start?${new URLSearchParams(query)}`
  return html`<p><a href="${address}">${label}</a></p>`
}

function codeForm({ text }: PageInput<Query>, submission: Submission | null, token: string): PageContent {
  const { title, button, notHere } = text.secondFactor
  const methods = submission?.error.headers['x-mfa-methods']?.split(',') ?? ['totp']
  if (!methods.some((method) => method === 'totp' || method === 'recovery'))
    return { title, body: html`<p class="error" role="alert">${notHere}</p>` }
  const field = { name: 'code', label: text.labels.code, autocomplete: 'one-time-code', maxLength: 40 }
  const isFirst = submission?.error.kind === 'secondFactorRequired'
  const form = { fields: [field], hidden: { token }, button, text, submission: isFirst ? null : submission }
  return { title, body: html`${formOf(form)}<p><a href="">${text.signIn.again}</a></p>` }
}

/** @returns `null` before the password was right, and when the sign-in has to be begun again */
function mfaToken(submission: Submission | null): string | null {
  const error: ServiceError | undefined = submission?.error
  return error?.headers['x-mfa-token'] ?? submission?.values['token'] ?? null
}
