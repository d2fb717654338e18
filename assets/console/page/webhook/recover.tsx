/** The dialog that sends again everything that a subscription has missed since a moment. */
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { MomentInput } from '../../component/day-input.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { Done } from '../../component/notice.tsx'
import { text } from '../../text/text.ts'
import type { Subscription } from './types.ts'

interface Report {
  deliveries: number
  next: string | null
}

const { subscription } = text.webhook
const dayMs = 24 * 60 * 60 * 1000

export function RecoverDialog({
  subscription: row,
  onClose,
}: {
  subscription: Subscription
  onClose: () => void
}) {
  const begin = row.failingSince ?? row.deactivatedAt
  // The input shows whole minutes. The moment is rounded down, so that failures within that minute are included.
  const [since, setSince] = useState(() => {
    const moment = begin === null ? new Date(Date.now() - dayMs) : new Date(begin)
    moment.setSeconds(0, 0)
    return moment.toISOString()
  })
  const [until, setUntil] = useState('')
  const [result, setResult] = useState<string | null>(null)
  const path = `/api/webhooks/subscriptions/${row.id}/recover`
  const period = () => ({
    since,
    ...(until !== '' && { until }),
  })
  const count = async () => {
    const { body } = await request<Report>('POST', path, { body: { ...period(), dryRun: true } })
    setResult(subscription.countOfRecovery(body.deliveries))
  }
  const recover = async () => {
    let total = 0
    let cursor: string | null = null
    do {
      const body: Readonly<Record<string, unknown>> = { ...period(), ...(cursor !== null && { cursor }) }
      const report: Report = (await request<Report>('POST', path, { body })).body
      total += report.deliveries
      cursor = report.next
      setResult(subscription.recovered(total))
    } while (cursor !== null)
  }
  return (
    <Dialog title={subscription.recover} onClose={onClose}>
      <p>{subscription.recoverHint}</p>
      <Field label={text.webhook.since} isRequired>
        {(control) => <MomentInput control={control} value={since} onChange={setSince} />}
      </Field>
      <Field label={text.webhook.until} isOptional>
        {(control) => <MomentInput control={control} value={until} onChange={setUntil} />}
      </Field>
      {result !== null && <Done>{result}</Done>}
      <div class="row">
        <ActionButton act={count} isDisabled={since === ''}>
          {subscription.count}
        </ActionButton>
        <ActionButton act={recover} kind="main" isDisabled={since === ''}>
          {subscription.recoverButton}
        </ActionButton>
        <button type="button" onClick={onClose}>
          {text.action.close}
        </button>
      </div>
    </Dialog>
  )
}
