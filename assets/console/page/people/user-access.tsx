/** Actions of an administrator for a user: to help one who is locked out, or to act as one who reports a fault. */
import { useState } from 'preact/hooks'
import { type ActingToken, beginActing } from '../../acting.ts'
import { request } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { text } from '../../text/text.ts'
import type { User } from './types.ts'

const texts = text.administration.users

export function UserAccess({ user, mayAct }: { user: User; mayAct: boolean }) {
  const [isRemoved, setRemoved] = useState(false)
  const [isMailed, setMailed] = useState(false)
  const [isActOpen, setActOpen] = useState(false)
  return (
    <>
      {isRemoved && <Done>{texts.factorsRemoved}</Done>}
      {isMailed && <Done>{texts.resetSent(user.email)}</Done>}
      <div class="row">
        <ActionButton
          question={texts.confirmReset(user.email)}
          act={async () => {
            await request('POST', `/api/users/${user.id}/password-reset`)
            setMailed(true)
          }}
        >
          {texts.sendReset}
        </ActionButton>
        <ActionButton
          question={texts.confirmFactors(user.userName)}
          act={async () => {
            await requestRecent('DELETE', `/api/users/${user.id}/mfa`)
            setRemoved(true)
          }}
        >
          {texts.removeFactors}
        </ActionButton>
        {mayAct && (
          <button type="button" onClick={() => setActOpen(true)}>
            {texts.act}
          </button>
        )}
      </div>
      {isActOpen && <ActDialog user={user} onClose={() => setActOpen(false)} />}
    </>
  )
}

interface ActDialogProps {
  user: Pick<User, 'id' | 'userName'>
  onClose: () => void
}

export function ActDialog({ user, onClose }: ActDialogProps) {
  const submit = async ({ reason, minutes }: { reason: string; minutes: string }) => {
    const path = `/api/users/${user.id}/impersonate`
    const body = { reason, minutes: Number(minutes) }
    beginActing((await requestRecent<ActingToken>('POST', path, { body })).body)
  }
  return (
    <Dialog title={`${texts.act}: ${user.userName}`} onClose={onClose}>
      <Form
        initial={{ reason: '', minutes: '15' }}
        button={texts.actStart}
        submit={submit}
        onCancel={onClose}
      >
        {(form) => (
          <>
            <TextField form={form} name="reason" label={texts.actReason} hint={texts.actHint} isRequired />
            <TextField form={form} name="minutes" label={texts.actMinutes} type="number" isRequired />
          </>
        )}
      </Form>
    </Dialog>
  )
}
