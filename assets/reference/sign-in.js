/** A form that signs in. The tokens are only in the memory of the page, until it is closed. */
import { element } from './dom.js'

/**
 * @param {string} service its address, relative to the page
 * @param {(accessToken: string | null) => void} use gets each access token, and `null` after signing out
 * @returns {HTMLElement}
 */
export function signInForm(service, use) {
  const userName = element('input', { name: 'userName', autocomplete: 'username', required: true })
  const password = element('input', {
    name: 'password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  })
  const tenant = element('input', { name: 'tenant', autocomplete: 'off', placeholder: 'of this address' })
  const signIn = element('button', { type: 'submit' }, 'Sign in')
  const signOut = element('button', { type: 'button', hidden: true }, 'Sign out')
  const state = element('output', {})
  const form = element(
    'form',
    { class: 'sign-in', 'aria-label': 'Sign in' },
    element('label', {}, 'User name', userName),
    element('label', {}, 'Password', password),
    element('label', {}, 'Tenant', tenant),
    signIn,
    signOut,
    state,
  )
  /** @type {string | null} */
  let token = null
  const fields = [...form.querySelectorAll('label'), signIn]
  /** @param {string} text @param {string | null} next */
  const show = (text, next) => {
    if (next !== token) use(next)
    token = next
    state.textContent = text
    state.classList.toggle('bad', next === null && text !== '')
    signOut.hidden = next === null
  }
  followConsole((accessToken) => {
    for (const field of fields) field.hidden = accessToken !== null
    show(accessToken === null ? '' : 'Signed in by the console.', accessToken)
    signOut.hidden = true
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    signIn.disabled = true
    try {
      const asked = { userName: userName.value, password: password.value }
      const { accessToken, expiresAt, user } = await logIn(service, asked, tenant.value.trim())
      password.value = ''
      const until = new Date(expiresAt).toLocaleTimeString()
      show(`Signed in as ${user.userName} of ${user.tenantId}, until ${until}.`, accessToken)
    } catch (error) {
      show(error instanceof Error ? error.message : String(error), null)
    } finally {
      signIn.disabled = false
    }
  })
  signOut.addEventListener('click', async () => {
    const authorization = `Bearer ${token}`
    show('', null)
    await fetch(`${service}api/auth/logout`, { method: 'POST', headers: { authorization } }).catch(() => null)
  })
  return form
}

const tokenMessage = 'tenantry.token'

/**
 * Inside the console the page needs no sign-in: the console sends it the token of the session, and each new token.
 * @param {(accessToken: string | null) => void} use
 */
function followConsole(use) {
  if (window.parent === window) return
  addEventListener('message', ({ origin, source, data }) => {
    if (origin === location.origin && source === window.parent && data?.type === tokenMessage)
      use(data.accessToken)
  })
  window.parent.postMessage({ type: tokenMessage }, location.origin)
}

/**
 * @param {string} service
 * @param {{ userName: string, password: string }} asked
 * @param {string} tenant empty for the one that the address means
 * @returns {Promise<{ accessToken: string, expiresAt: string, user: { userName: string, tenantId: string } }>}
 */
async function logIn(service, asked, tenant) {
  const response = await fetch(`${service}api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(tenant !== '' && { 'x-tenant-id': tenant }) },
    body: JSON.stringify(asked),
    cache: 'no-store',
    credentials: 'omit',
  }).catch((cause) => {
    throw new Error(`No reply: ${cause.message}`)
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? `Refused: ${response.status}`)
  return answer
}
