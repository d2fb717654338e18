/** What a rule would do with a sample or with a received webhook: nothing is changed. */
import { useState } from 'preact/hooks'
import { parseKeepingNumbers } from '../../../../src/core/schema/exact-number.ts'
import { ApiError, get, request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { useForm } from '../../component/form-state.ts'
import { formatMoment } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { DryRun, Receipt, Rule } from './types.ts'

const { dryRun: words } = text.webhook

/** Members that the action `order.pay` reads; others are shown as what they are. */
const sampleOf = ({ eventType }: Rule) =>
  JSON.stringify({ id: 'evt_1', type: sampleType(eventType), data: {} }, null, 2)

/** JSON leaves out what is undefined. */
const sampleType = (pattern: string) => (pattern === '(none)' ? undefined : pattern.replaceAll('*', 'sample'))

export function DryRunDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const [result, setResult] = useState<DryRun | null>(null)
  const form = useForm({ receiptId: '', body: sampleOf(rule), eventType: '' }, async (typed) => {
    setResult(null)
    const path = `/api/webhooks/rules/${rule.id}/dry-run`
    setResult((await request<DryRun>('POST', path, { body: inputOf(typed) })).body)
  })
  const { values, isBusy, error } = form
  const change = (members: Partial<typeof values>) => form.change({ ...values, ...members })
  const { data } = useLoaded<readonly Receipt[]>(rule.provider, (signal) =>
    get('/api/webhooks/receipts', { query: { provider: rule.provider.toLowerCase() }, signal }),
  )
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.text}</p>
      <form class="form" noValidate onSubmit={form.send}>
        {error !== null && <ErrorNotice error={error} />}
        <Field label={words.source}>
          {(control) => (
            <select
              {...control}
              value={values.receiptId}
              onChange={({ currentTarget }) => change({ receiptId: currentTarget.value })}
            >
              <option value="">{words.sample}</option>
              {(data ?? []).map(({ id, eventType, receivedAt }) => (
                <option key={id} value={id}>
                  {eventType ?? text.webhook.receipt.noType} · {formatMoment(receivedAt)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {values.receiptId === '' && (
          <>
            <Field label={words.body} isRequired>
              {(control) => (
                <textarea
                  {...control}
                  class="code"
                  spellcheck={false}
                  value={values.body}
                  onInput={({ currentTarget }) => change({ body: currentTarget.value })}
                />
              )}
            </Field>
            <Field label={text.webhook.eventType} hint={words.eventTypeHint}>
              {(control) => (
                <input
                  {...control}
                  value={values.eventType}
                  onInput={({ currentTarget }) => change({ eventType: currentTarget.value })}
                />
              )}
            </Field>
          </>
        )}
        <div class="row">
          <button type="submit" class="main" disabled={isBusy}>
            {words.button}
          </button>
          <button type="button" onClick={onClose}>
            {text.action.close}
          </button>
        </div>
      </form>
      {result !== null && <Result of={result} />}
    </Dialog>
  )
}

/** @throws ApiError for a body that is no JSON */
function inputOf({ receiptId, body, eventType }: { receiptId: string; body: string; eventType: string }) {
  if (receiptId !== '') return { receiptId }
  try {
    return { body: parseKeepingNumbers(body), ...(eventType !== '' && { eventType }) }
  } catch {
    throw new ApiError(400, words.noJson, { headers: new Headers() })
  }
}

function Result({ of: { outcome, isActive, values, error, events } }: { of: DryRun }) {
  return (
    <section class="stack" role="status" aria-label={words.result}>
      <p class={outcome === 'SUCCEEDED' ? 'notice' : 'notice warn'}>
        {words.outcomes[outcome]} {error !== null && <code>{error}</code>}
        {!isActive && ` ${words.paused}`}
      </p>
      {values !== null && (
        <>
          <h3>{words.values}</h3>
          <pre>{JSON.stringify(values, null, 2)}</pre>
        </>
      )}
      {outcome === 'SUCCEEDED' && <h3>{words.events}</h3>}
      {outcome === 'SUCCEEDED' && events.length === 0 && <p class="soft">{words.noEvents}</p>}
      {events.map(({ type, data }) => (
        <div key={type} class="stack">
          <code>{type}</code>
          <pre>{JSON.stringify(data, null, 2)}</pre>
        </div>
      ))}
    </section>
  )
}
