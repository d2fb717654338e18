/** The form to sign in with a passkey. It is the only form that needs a script, without which it stays hidden. */
import { ServiceError } from '../../core/errors.ts'
import { type Html, html } from '../../core/html.ts'
import type { AccountText } from './text-en.ts'

/** @param hidden what the form sends besides, such as the token of a sign-in with a password */
export function passkeyForm(
  tenantId: string,
  { passkey: text }: AccountText,
  hidden: Readonly<Record<string, string>> = {},
): Html {
  const fields = Object.entries({ ...hidden, passkey: '' }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )
  const options = `../api/auth/passkeys/request-options?${new URLSearchParams({ tenant: tenantId })}`
  return html`<form method="post" id="passkey" data-options="${options}" hidden>
${fields}<p class="error" role="alert" hidden>${text.failed}</p>
<button>${text.button}</button>
</form>`
}

/**
 * Asks the service for a challenge and the browser for its answer, then sends the
 * form. It is the same for everybody.
 */
export const passkeyScript = html`
const form = document.getElementById('passkey')
const fault = form.querySelector('[role=alert]')
const options = async () => {
  const token = form.elements.namedItem('token')?.value
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(form.dataset.options, { method: 'POST', headers, body: JSON.stringify(token ? { token } : {}) })
  if (!reply.ok) throw new Error(reply.statusText)
  return PublicKeyCredential.parseRequestOptionsFromJSON(await reply.json())
}
// Password managers put their own code in place of the browser's, and the toJSON() of some throws.
const encode = (bytes) => bytes && btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const read = ({ id, rawId, type, response }) => ({
  id, type, rawId: encode(rawId),
  response: {
    clientDataJSON: encode(response.clientDataJSON),
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: encode(response.userHandle),
  },
})
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  form.hidden = false
  document.getElementById('no-passkey')?.remove()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    fault.hidden = true
    try {
      const credential = await navigator.credentials.get({ publicKey: await options() })
      form.elements.namedItem('passkey').value = JSON.stringify(read(credential))
      form.submit()
    } catch {
      fault.hidden = false
    }
  })
}
`

/** @throws ServiceError `invalid` for text that is no JSON */
export function readCredential(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid', undefined, { cause })
  }
}
