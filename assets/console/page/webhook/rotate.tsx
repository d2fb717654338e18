/** A new secret, beside which the former ones sign for a while. */
import { useState } from 'preact/hooks'
import { ApiError, request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { Secret } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'
import { formatMoment } from './moment.tsx'
import type { Subscription } from './types.ts'

const { subscription } = text.webhook
const usualHours = '24'
const hourMs = 3_600_000

export function RotateDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [hours, setHours] = useState(usualHours)
  const [own, setOwn] = useState('')
  const [rotated, setRotated] = useState<{ secret: string; until: string | null } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = { overlapHours: Number(hours), ...(own !== '' && { secret: own }) }
      const { secret } = (await request<Subscription>('POST', `${path}/rotate-secret`, { body })).body
      const until = Number(hours) === 0 ? null : new Date(Date.now() + Number(hours) * hourMs).toISOString()
      setRotated({ secret, until })
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  const faultOf = (pointer: string) =>
    (error instanceof ApiError ? error.faults : []).find((fault) => fault.pointer === pointer)?.reason ?? null
  return (
    <Dialog title={subscription.rotate} onClose={onClose}>
      {rotated !== null ? (
        <>
          <div class="stack" role="status">
            <Secret value={rotated.secret} />
            <p>{subscription.secretOnce}</p>
            <p>
              {rotated.until === null
                ? subscription.noOverlap
                : subscription.overlapUntil(formatMoment(rotated.until))}
            </p>
          </div>
          <div class="row">
            <button type="button" class="main" onClick={onClose}>
              {text.webhook.noted}
            </button>
          </div>
        </>
      ) : (
        <form class="form" noValidate onSubmit={(event) => void send(event)}>
          {error !== null && <ErrorNotice error={error} />}
          <Field
            label={text.webhook.overlap}
            hint={subscription.overlapHint}
            fault={faultOf('/overlapHours')}
          >
            {(control) => (
              <input
                {...control}
                type="number"
                min={0}
                max={168}
                value={hours}
                onInput={({ currentTarget }) => setHours(currentTarget.value)}
              />
            )}
          </Field>
          <Field label={subscription.secret} hint={subscription.secretHint} fault={faultOf('/secret')}>
            {(control) => (
              <input
                {...control}
                type="password"
                autocomplete="new-password"
                value={own}
                onInput={({ currentTarget }) => setOwn(currentTarget.value)}
              />
            )}
          </Field>
          <div class="row">
            <button type="submit" class="main" disabled={isBusy}>
              {subscription.rotate}
            </button>
            <button type="button" onClick={onClose}>
              {text.action.cancel}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
