/**
 * Sends requests that need a recent sign-in. If the service asks for one, the user enters the password or a code,
 * and the request is sent again.
 */
import { useState } from 'preact/hooks'
import { type Answer, ApiError, type Method, type RequestOptions, request } from '../api.ts'
import { text } from '../text/text.ts'
import { asked } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'
import { PasswordField } from './password-field.tsx'

const texts = text.administration.stepUp

/** @throws ApiError also if the user does not confirm the sign-in */
export async function requestRecent<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  try {
    return await request<T>(method, path, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.headers.get('x-step-up') === null) throw error
    if (!(await askForProof())) throw error
    return request<T>(method, path, options)
  }
}

async function askForProof(): Promise<boolean> {
  const proof = (answer: (isProven: true | null) => void) => (
    <StepUpDialog onProven={() => answer(true)} onClose={() => answer(null)} />
  )
  return (await asked<true>(proof)) === true
}

function StepUpDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      // Six digits are a code of an authenticator app: a password has at least eight characters.
      const body = /^\d{6}$/.test(typed) ? { code: typed } : { password: typed }
      await request('POST', '/api/auth/step-up', { body })
      onProven()
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <p>{texts.reason}</p>
        {error !== null && <ErrorNotice error={error} />}
        <PasswordField label={texts.password} value={typed} onInput={setTyped} />
        <div class="row">
          <button type="submit" class="main">
            {texts.confirm}
          </button>
          <button type="button" onClick={onClose}>
            {text.action.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
