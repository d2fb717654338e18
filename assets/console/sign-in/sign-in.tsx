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

const settleMs = 250

/** @returns the tenant in the address: links of invitations and settings contain `?tenant=acme` */
function tenantOfAddress(): string {
  return new URLSearchParams(location.search).get('tenant') ?? ''
}

interface Waiting {
  token: string
  methods: readonly string[]
}

export function SignInPage({ onSignedIn, hasEnded }: { onSignedIn: () => void; hasEnded: boolean }) {
  const [tenant, setTenant] = useState(tenantOfAddress)
  const [waiting, setWaiting] = useState<Waiting | null>(null)
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
      const token = caught instanceof ApiError ? caught.headers.get('x-mfa-token') : null
      if (token === null || !(caught instanceof ApiError)) return setError(caught)
      setWaiting({ token, methods: (caught.headers.get('x-mfa-methods') ?? '').split(',') })
    }
  }
  const goElsewhere = async () => {
    location.href = await accountPageHref(tenant)
  }
  return (
    <SignInFrame title={waiting === null ? text.signIn.title : text.signIn.codeTitle}>
      {hasEnded && error === null && waiting === null && <p class="notice warn">{text.signIn.ended}</p>}
      {error !== null && <ErrorNotice error={error} />}
      {waiting === null && otherSessions().length > 0 && (
        <section class="kept-sessions" aria-label={text.signIn.kept}>
          <p class="note">{text.signIn.kept}</p>
          <SessionList />
        </section>
      )}
      {waiting === null ? (
        <PasswordForm
          tenant={tenant}
          setTenant={setTenant}
          submit={(body) => submit('/api/auth/login', body)}
        />
      ) : (
        <CodeForm
          submit={(code) => submit('/api/auth/mfa/verify', { token: waiting.token, code })}
          again={() => setWaiting(null)}
        />
      )}
      {crypto.subtle !== undefined && waiting === null && (
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
