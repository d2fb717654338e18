/** The dialog for a new secret. The former secrets also sign for a while, so that receivers can change over. */
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { formatMoment } from '../../component/moment-in-words.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'
import type { Subscription } from './types.ts'

const { subscription } = text.webhook
const usual = { overlapHours: '24', secret: '' }
const hourMs = 3_600_000

export function RotateDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [rotated, setRotated] = useState<{ secret: string; until: string | null } | null>(null)
  const rotate = async (values: typeof usual) => {
    const hours = Number(values.overlapHours)
    const body = { overlapHours: hours, ...(values.secret !== '' && { secret: values.secret }) }
    const { secret } = (await request<Subscription>('POST', `${path}/rotate-secret`, { body })).body
    setRotated({ secret, until: hours === 0 ? null : new Date(Date.now() + hours * hourMs).toISOString() })
  }
  return (
    <Dialog title={subscription.rotate} onClose={onClose}>
      {rotated !== null ? (
        <>
          <ShownOnce hint={subscription.secretOnce} value={rotated.secret}>
            <p>
              {rotated.until === null
                ? subscription.noOverlap
                : subscription.overlapUntil(formatMoment(rotated.until))}
            </p>
          </ShownOnce>
          <div class="row">
            <button type="button" class="main" onClick={onClose}>
              {text.webhook.noted}
            </button>
          </div>
        </>
      ) : (
        <Form initial={usual} button={subscription.rotate} submit={rotate} onCancel={onClose}>
          {(form) => (
            <>
              <TextField
                form={form}
                name="overlapHours"
                label={text.webhook.overlap}
                hint={subscription.overlapHint}
                type="number"
                isRequired
              />
              <TextField
                form={form}
                name="secret"
                label={subscription.secret}
                hint={subscription.secretHint}
                type="password"
                autocomplete="new-password"
              />
            </>
          )}
        </Form>
      )}
    </Dialog>
  )
}
