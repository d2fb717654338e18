/** The page of the first start: it creates the first administrator, who then is signed in. */
import { useState } from 'preact/hooks'
import { ApiError, request } from '../api.ts'
import { Field } from '../component/field.tsx'
import { emailInput } from '../component/form.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { beginSession, type SignIn } from '../session.ts'
import { text } from '../text/text.ts'
import { SignInFrame } from './frame.tsx'

type Inputs = 'firstName' | 'lastName' | 'userName' | 'email' | 'password' | 'setupToken'

const autocomplete: Record<Inputs, string> = {
  firstName: 'given-name',
  lastName: 'family-name',
  userName: 'username',
  email: 'email',
  password: 'new-password',
  setupToken: 'off',
}

interface BeginPageProps {
  onSignedIn: () => void
  /** Whether the setup token is required, which the service writes where only its operator can read it. */
  needsSetupToken: boolean
}

export function BeginPage({ onSignedIn, needsSetupToken }: BeginPageProps) {
  const [values, setValues] = useState<Partial<Record<Inputs, string>>>({})
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const { setupToken = '', ...user } = values
      const body = setupToken === '' ? user : { ...user, setupToken }
      await request('POST', '/api/init/first-admin', { body })
      const { userName, password } = values
      beginSession((await request<SignIn>('POST', '/api/auth/login', { body: { userName, password } })).body)
      onSignedIn()
    } catch (caught) {
      setError(caught)
    }
  }
  const faultOf = (name: Inputs) =>
    error instanceof ApiError
      ? (error.faults.find(({ pointer }) => pointer === `/${name}`)?.reason ?? null)
      : null
  const hints: Partial<Record<Inputs, string>> = {
    password: text.begin.passwordHint,
    setupToken: text.begin.setupTokenHint,
  }
  const names = Object.keys(autocomplete) as Inputs[] // the keys of the record above
  const shown = names.filter((name) => name !== 'setupToken' || needsSetupToken)
  return (
    <SignInFrame title={text.begin.title} subtitle={text.begin.text}>
      {error !== null && <ErrorNotice error={error} />}
      <form class="form" onSubmit={(event) => void submit(event)}>
        {shown.map((name) => (
          <Field key={name} label={text.begin[name]} hint={hints[name] ?? null} fault={faultOf(name)}>
            {(control) => (
              <input
                {...control}
                {...typeOf(name)}
                autocomplete={autocomplete[name]}
                required
                value={values[name] ?? ''}
                onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <button type="submit" class="main">
          {text.begin.button}
        </button>
      </form>
    </SignInFrame>
  )
}

function typeOf(name: Inputs) {
  if (name === 'password') return { type: 'password' } as const
  return name === 'email' ? emailInput : ({ type: 'text' } as const)
}
