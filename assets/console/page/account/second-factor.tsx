/** Sets up the user's authenticator app, and makes new recovery codes. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { QrCode, type QrPicture } from '../../component/qr-code.tsx'
import { Secret } from '../../component/secret.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const texts = text.administration.account

interface Factors {
  isRequired: boolean
  totpAddedAt: string | null
  recoveryCodesLeft: number
  passkeys: number
}

interface NewApp {
  secret: string
  url: string
  qrCode: QrPicture | null
}

interface Codes {
  recoveryCodes: string[]
}

const path = '/api/auth/mfa'

/** @param turn another number loads the factors again */
export function SecondFactor({ turn }: { turn: number }) {
  const { data, error, reload } = useLoaded(`${path} ${turn}`, (signal) => get<Factors>(path, { signal }))
  const [app, setApp] = useState<NewApp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const show = ({ recoveryCodes }: Codes) => {
    setApp(null)
    setCodes(recoveryCodes)
    reload()
  }
  const forget = () => {
    setCodes(null)
    reload()
  }
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  const hasApp = data !== null && data.totpAddedAt !== null
  return (
    <section class="card stack" aria-busy={data === null}>
      <h2>{texts.factors}</h2>
      {data !== null && <Summary factors={data} />}
      {codes !== null && <RecoveryCodes codes={codes} />}
      {app !== null && <ConfirmApp app={app} onDone={show} onCancel={() => setApp(null)} />}
      {data !== null && app === null && (
        <div class="row">
          <ActionButton
            act={async () => {
              setCodes(null)
              setApp((await requestRecent<NewApp>('POST', `${path}/totp`)).body)
            }}
          >
            {hasApp ? texts.replaceApp : texts.addApp}
          </ActionButton>
          {(hasApp || data.passkeys > 0) && <NewCodes onCodes={show} />}
          {hasApp && <RemoveApp onRemoved={forget} />}
        </div>
      )}
    </section>
  )
}

function Summary({ factors }: { factors: Factors }) {
  const { isRequired, totpAddedAt, recoveryCodesLeft, passkeys } = factors
  const [words, hasFactor] =
    totpAddedAt !== null
      ? [texts.hasApp, true]
      : passkeys > 0
        ? [texts.hasPasskey, true]
        : [texts.noApp, false]
  return (
    <>
      <p>{words}</p>
      {isRequired && <p>{texts.required}</p>}
      {hasFactor && <p class="soft">{texts.codesLeft(recoveryCodesLeft)}</p>}
    </>
  )
}

function NewCodes({ onCodes }: { onCodes: (codes: Codes) => void }) {
  return (
    <ActionButton
      question={texts.confirmCodes}
      act={async () => onCodes((await requestRecent<Codes>('POST', `${path}/recovery-codes`)).body)}
    >
      {texts.newCodes}
    </ActionButton>
  )
}

function RemoveApp({ onRemoved }: { onRemoved: () => void }) {
  return (
    <ActionButton
      kind="danger"
      question={texts.confirmRemoveApp}
      act={async () => {
        await requestRecent('DELETE', `${path}/totp`)
        onRemoved()
      }}
    >
      {texts.removeApp}
    </ActionButton>
  )
}

interface ConfirmAppProps {
  app: NewApp
  onDone: (codes: Codes) => void
  onCancel: () => void
}

function ConfirmApp({ app, onDone, onCancel }: ConfirmAppProps) {
  return (
    <div class="stack">
      <p>{texts.scan}</p>
      <QrCode picture={app.qrCode} label={texts.qrCode} />
      <p>
        <a href={app.url}>{texts.openApp}</a>
      </p>
      <p>{texts.secret}</p>
      <Secret value={app.secret} />
      <Form
        initial={{ code: '' }}
        button={texts.confirmCode}
        onCancel={onCancel}
        submit={async (body) =>
          onDone((await requestRecent<Codes>('POST', `${path}/totp/confirm`, { body })).body)
        }
      >
        {(form) => (
          <TextField form={form} name="code" label={texts.code} autocomplete="one-time-code" isRequired />
        )}
      </Form>
    </div>
  )
}
