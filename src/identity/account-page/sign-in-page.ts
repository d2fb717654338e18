/** The page on which users sign in, for an application that has sent the browser there. */

import type { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import type { Route } from '../../core/feature/route.ts'
import { type Html, html } from '../../core/html.ts'
import { inputReader } from '../../core/schema/input.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { AccountPages } from '../account-link.ts'
import { issueCode, type ReturnOptions, returnAddress } from '../code-exchange/code-exchange.ts'
import { SignInStart } from '../code-exchange/schema.ts'
import { issueToken, peekToken, redeemToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import type { RelyingParty } from '../passkey/relying-party.ts'
import { PasskeySignIn } from '../passkey/schema.ts'
import { completeWithPasskey } from '../passkey/sign-in.ts'
import { MfaEnrollmentConfirmation, MfaVerification } from '../second-factor/schema.ts'
import { beginEnrollment, completeEnrollment, completeWithCode } from '../second-factor/verify.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { LoginInput } from '../session/schema.ts'
import type { SignInMethod } from '../session/session.ts'
import { signInWith } from '../session/sign-in.ts'
import { signsInAtProvider } from '../single-sign-on/configuration.ts'
import type { Account } from '../user/account.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { codeForm, enrollmentForm, recoveryCodesPage } from './factor-form.ts'
import { passwordField } from './fields.ts'
import { type FormField, formOf, type Submission } from './form.ts'
import type { PageContent } from './layout.ts'
import { type PageInput, pageRoutes } from './page.ts'
import { passkeyForm, passkeyScript, readCredential } from './passkey-form.ts'
import type { AccountText } from './text-en.ts'

const readCredentials = inputReader(LoginInput)
const readCode = inputReader(MfaVerification)
const readEnrollment = inputReader(MfaEnrollmentConfirmation)
const readPasskey = inputReader(PasskeySignIn)

export interface SignInPageParts extends ReturnOptions {
  backoff: SignInBackoff
  party: RelyingParty
}

type Query = Type.Static<typeof SignInStart>
type Form = Readonly<Record<string, string>>
type Complete = (inside: Context, user: Account, methods?: SignInMethod[]) => Promise<string>

/**
 * The token of a user who has added a factor and is shown the recovery codes. The code for the application is issued
 * afterwards, because it expires sooner than somebody needs to keep the recovery codes.
 */
const enrolledPurpose = tokenPurpose<{ methods: SignInMethod[] }>('sign-in-enrolled', 15 * 60_000)

export function signInPages(pages: AccountPages, parts: SignInPageParts): Route[] {
  return pageRoutes(pages, {
    name: 'sign-in',
    summary: 'Sign in',
    query: SignInStart,
    signsIn: true,
    show: async (context, input, submission) => {
      const target = returnAddress(parts, input.query.returnTo)
      const content = await contentOf(context, input, submission)
      return { ...content, formTarget: target.origin }
    },
    submit: async (context, { query, text }, form) => {
      const target = returnAddress(parts, query.returnTo)
      if (form['step'] === 'enroll')
        return { ...(await addFactor(context, text, form)), formTarget: target.origin }
      const { codeChallenge } = query
      const complete: Complete = (inside, { id }, methods = ['pwd']) =>
        issueCode(inside, id, { codeChallenge, methods })
      target.searchParams.set('sign_in_code', await codeFrom(context, parts, form, complete))
      target.searchParams.set('tenant', context.tenant.id)
      return target
    },
  })
}

async function contentOf(
  context: Context,
  input: PageInput<Query>,
  submission: Submission | null,
): Promise<PageContent> {
  const token = mfaToken(submission)
  if (token === null) return passwordForm(context, input, submission)
  const { text } = input
  const { id: tenantId } = context.tenant
  const methods = submission?.error.headers['x-mfa-methods'] ?? submission?.values['methods'] ?? 'totp'
  // The refusal of the password asks for the second factor: it is no fault to show.
  const isFirst = submission?.error.kind === 'secondFactorRequired'
  const step = { tenantId, token, methods, text, submission: isFirst ? null : submission }
  if (methods !== 'enroll') return codeForm(step)
  const { url } = isFirst ? await beginEnrollment(context, token) : { url: submission?.values['url'] ?? '' }
  // After a wrong code the browser sends the address back. Without it, nothing can be enrolled: a code is asked for.
  return url.startsWith('otpauth://totp/') ? enrollmentForm(step, url) : codeForm(step)
}

/** @returns the code that the application exchanges for a session */
async function codeFrom(
  context: Context,
  { backoff, party }: SignInPageParts,
  form: Form,
  complete: Complete,
): Promise<string> {
  const { token, step, passkey } = form
  if (step === 'continue') return completeAfterRecoveryCodes(context, token ?? '', complete)
  if (passkey !== undefined) {
    const response = readCredential(passkey)
    const input = readPasskey(defined({ response, token }))
    return completeWithPasskey(context, party, input, complete)
  }
  return token === undefined
    ? signInWith(context, backoff, readCredentials(form), complete)
    : completeWithCode(context, readCode(form), complete)
}

async function addFactor(context: Context, text: AccountText, form: Form): Promise<PageContent> {
  const { result, recoveryCodes } = await completeEnrollment(
    context,
    readEnrollment(form),
    (inside, { id }, methods) => issueToken(inside, enrolledPurpose, { accountId: id, data: { methods } }),
  )
  return recoveryCodesPage(text, { codes: recoveryCodes, token: result.token })
}

async function completeAfterRecoveryCodes(
  context: Context,
  token: string,
  complete: Complete,
): Promise<string> {
  const known = await peekToken(context, enrolledPurpose, token)
  const code = known === null ? null : await completeEnrolled(context, token, complete)
  if (code === null) throw refusal('signInExpired')
  return code
}

function completeEnrolled(context: Context, token: string, complete: Complete): Promise<string | null> {
  return inCatalogue(context, async (inside) => {
    const enrolled = await redeemToken(inside, enrolledPurpose, token)
    if (enrolled === null || enrolled.accountId === null || !inside.tenant.isActive) return null
    const account = await lockActiveAccount(inside, enrolled.accountId)
    return account === null ? null : complete(inside, account, enrolled.data.methods)
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
    passwordField(text),
  ]
  const form = formOf({ fields, button: signIn.button, text, submission })
  const forgotten = `forgot-password?${new URLSearchParams({ tenant, returnTo: query.returnTo })}`
  const atProvider = (await signsInAtProvider(context))
    ? providerLink(tenant, query, signIn.atProvider)
    : null
  return {
    title: signIn.title,
    script: passkeyScript,
    body: html`${atProvider}${form}${passkeyForm(tenant, text)}<p class="after"><a href="${forgotten}">${signIn.forgotten}</a></p>`,
  }
}

function providerLink(tenant: string, query: Query, label: string): Html {
  const address = `../api/auth/sso/${encodeURIComponent(tenant)}/start?${new URLSearchParams(query)}`
  return html`<a class="button second" href="${address}">${label}</a>`
}

/** @returns the token of the second step; `null` before the password was right, or if the user has to begin again */
function mfaToken(submission: Submission | null): string | null {
  if (submission?.values['step'] === 'continue') return null
  const error: ServiceError | undefined = submission?.error
  return error?.headers['x-mfa-token'] ?? submission?.values['token'] ?? null
}
