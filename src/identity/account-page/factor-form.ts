/**
 * The second step of a sign-in on a page: a form for a code or a passkey, or a form to add an authenticator app, for a
 * user who has no second factor although the tenant requires one.
 */
import { type Html, html } from '../../core/html.ts'
import { qrPicture } from '../../core/qr-code.ts'
import { type FormField, formOf, type Submission } from './form.ts'
import type { PageContent } from './layout.ts'
import { passkeyForm, passkeyScript } from './passkey-form.ts'
import type { AccountText } from './text-en.ts'

export interface SecondStep {
  tenantId: string
  token: string
  /** The methods, as the header `X-Mfa-Methods` names them. */
  methods: string
  text: AccountText
  submission: Submission | null
}

const maxCodeLength = 40

export function codeForm({ tenantId, token, methods, text, submission }: SecondStep): PageContent {
  const { title, button, notHere } = text.secondFactor
  const hidden = { token, methods }
  const names = methods.split(',')
  const field = codeField(text.labels.code)
  // The script of the passkey form removes the text with this id where the browser has passkeys.
  const codes = names.some((name) => name === 'totp' || name === 'recovery')
    ? formOf({ fields: [field], hidden, button, text, submission })
    : html`<p class="error" role="alert" id="no-passkey">${notHere}</p>`
  const again = againLink(text)
  if (!names.includes('passkey')) return { title, body: html`${codes}${again}` }
  const body = html`${codes}${passkeyForm(tenantId, text, hidden)}${again}`
  return { title, body, script: passkeyScript }
}

/**
 * @param url the `otpauth:` address for authenticator apps. The form sends it: after a
 *   wrong code the secret is the same
 */
export function enrollmentForm({ token, methods, text, submission }: SecondStep, url: string): PageContent {
  const { title, introduction, link, button, qrCode: qrLabel } = text.addFactor
  const secret = URL.parse(url)?.searchParams.get('secret') ?? ''
  const hidden = { step: 'enroll', token, methods, url }
  const form = formOf({ fields: [codeField(text.labels.appCode)], hidden, button, text, submission })
  const body = html`<p>${introduction}</p>
${qrCode(url, qrLabel)}<p><code>${(secret.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
<p><a href="${url}">${link}</a></p>
${form}${againLink(text)}`
  return { title, body }
}

/** A link to the beginning of the sign-in, which is at the address of the page itself. */
function againLink(text: AccountText): Html {
  return html`<p class="after"><a href="">${text.signIn.again}</a></p>`
}

/** The service makes about 150 characters. A caller may send more, and a large QR code takes time to draw. */
const maxUrlLength = 512

/** The QR code as a picture inside the page, which then needs no script. */
function qrCode(url: string, label: string): Html | null {
  const picture = url.length > maxUrlLength ? null : qrPicture(url)
  if (picture === null) return null
  return html`<svg class="qr-code" viewBox="${picture.viewBox}" role="img" aria-label="${label}"><path d="${picture.path}"/></svg>
`
}

/** Shows the recovery codes. The button completes the sign-in, once the user has kept the codes. */
export function recoveryCodesPage(
  { recoveryCodes: text }: AccountText,
  { codes, token }: { codes: readonly string[]; token: string },
): PageContent {
  const list: Html[] = codes.map(
    (code) => html`<li>${code}</li>
`,
  )
  const body = html`<p>${text.introduction}</p>
<ul class="codes" role="status">
${list}</ul>
<form method="post">
<input type="hidden" name="step" value="continue">
<input type="hidden" name="token" value="${token}">
<button>${text.button}</button>
</form>`
  return { title: text.title, body }
}

function codeField(label: string): FormField {
  return { name: 'code', label, autocomplete: 'one-time-code', maxLength: maxCodeLength }
}
