/** The page to sign in with a password and, if required, a second factor. The account page has the other ways. */
import { Fingerprint } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, request } from '../api.ts'
import { loadBrand } from '../brand.ts'
import { accountPageHref } from '../code-exchange.ts'
import { Field } from '../component/field.tsx'
import { Icon } from '../component/icon.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { PasswordField } from '../component/password-field.tsx'
import { serviceAddress } from '../service.ts'
import { beginSession, otherSessions, type SignIn } from '../session.ts'
import { SessionList } from '../shell/session-list.tsx'
import { text } from '../text/text.ts'
import { SignInFrame } from './frame.tsx'

/** How long the tenant must stay unchanged until its brand is loaded: nobody wants that of each letter. */
const settleMs = 250

/** @returns the tenant in the address: links of invitations and settings contain `?tenant=acme` */
function tenantOfAddress(): string {
  return new URLSearchParams(location.search).get('tenant') ?? ''
}

interface SignInPageProps {
  onSignedIn: () => void
  /** Whether a session has ended by itself. */
  hasEnded: boolean
}

export function SignInPage({ onSignedIn, hasEnded }: SignInPageProps) {
  const [tenant, setTenant] = useState(tenantOfAddress)
  /** The token of the second step, which asks for a code; `null` while the page asks for the password. */
  const [mfaToken, setMfaToken] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const timer = setTimeout(() => void loadBrand(tenant === '' ? undefined : tenant), settleMs)
    return () => clearTimeout(timer)
  }, [tenant])
  const tenantHeader: Record<string, string> = tenant === '' ? {} : { 'x-tenant-id': tenant }
  const submit = async (path: string, body: object) => {
    setError(null)
    try {
      beginSession((await request<SignIn>('POST', path, { body, headers: tenantHeader })).body)
      onSignedIn()
    } catch (caught) {
      const token = codeTokenOf(caught)
      if (token === null) setError(caught)
      else setMfaToken(token)
    }
  }
  const beginAgain = () => {
    setError(null)
    setMfaToken(null)
  }
  const goElsewhere = async () => {
    location.href = await accountPageHref(tenant)
  }
  return (
    <SignInFrame title={mfaToken === null ? text.signIn.title : text.signIn.codeTitle}>
      {hasEnded && error === null && mfaToken === null && <p class="notice warn">{text.signIn.ended}</p>}
      {error !== null && <ErrorNotice error={error} />}
      {mfaToken === null && otherSessions().length > 0 && (
        <section class="kept-sessions" aria-label={text.signIn.kept}>
          <p class="note">{text.signIn.kept}</p>
          <SessionList />
        </section>
      )}
      {mfaToken === null ? (
        <PasswordForm
          tenant={tenant}
          setTenant={setTenant}
          submit={(body) => submit('/api/auth/login', body)}
        />
      ) : (
        <CodeForm
          submit={(code) => submit('/api/auth/mfa/verify', { token: mfaToken, code })}
          again={beginAgain}
        />
      )}
      {/* The account page answers with a code that is bound to a digest, which browsers make on secure origins only. */}
      {crypto.subtle !== undefined && mfaToken === null && (
        <button type="button" onClick={() => void goElsewhere()}>
          <Icon node={Fingerprint} />
          {text.signIn.otherWays}
        </button>
      )}
      <a
        href={serviceAddress(
          `/account/forgot-password${tenant === '' ? '' : `?tenant=${encodeURIComponent(tenant)}`}`,
        )}
      >
        {text.signIn.forgotten}
      </a>
    </SignInFrame>
  )
}

/**
 * @returns the token of a sign-in that a code completes; `null` for other errors, also for a user who has only passkeys or
 *   has to add a first factor, which the account page does
 */
function codeTokenOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  const methods = error.headers.get('x-mfa-methods')?.split(',') ?? []
  return methods.includes('totp') || methods.includes('recovery') ? error.headers.get('x-mfa-token') : null
}

interface PasswordFormProps {
  tenant: string
  setTenant: (tenant: string) => void
  submit: (body: object) => Promise<void>
}

function PasswordForm({ tenant, setTenant, submit }: PasswordFormProps) {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    await submit({ userName, password })
    setBusy(false)
  }
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      <Field label={text.signIn.userName}>
        {(control) => (
          <input
            {...control}
            autocomplete="username"
            required
            value={userName}
            onInput={(event) => setUserName(event.currentTarget.value)}
          />
        )}
      </Field>
      <PasswordField label={text.signIn.password} value={password} onInput={setPassword} />
      <Field label={text.signIn.tenant} hint={text.signIn.tenantHint}>
        {(control) => (
          <input
            {...control}
            value={tenant}
            onInput={(event) => setTenant(event.currentTarget.value.trim())}
          />
        )}
      </Field>
      <button type="submit" class="main" disabled={isBusy}>
        {text.signIn.button}
      </button>
    </form>
  )
}

function CodeForm({ submit, again }: { submit: (code: string) => Promise<void>; again: () => void }) {
  const [code, setCode] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    void submit(code)
  }
  return (
    <form class="form" onSubmit={send}>
      <Field label={text.signIn.code}>
        {(control) => (
          <input
            {...control}
            autocomplete="one-time-code"
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="main">
        {text.signIn.button}
      </button>
      <button type="button" class="plain" onClick={again}>
        {text.signIn.again}
      </button>
    </form>
  )
}
