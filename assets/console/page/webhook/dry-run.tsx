/** The dialog that shows what a rule would do with a sample or a received webhook, without any change. */
import { useState } from 'preact/hooks'
import { parseKeepingNumbers } from '../../../../src/core/schema/exact-number.ts'
import { ApiError, get, request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { formatMoment } from '../../component/moment-in-words.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { DryRun, Receipt, Rule } from './types.ts'

const { dryRun: words } = text.webhook

interface Typed {
  receiptId: string
  body: string
  eventType: string
}

/** @returns a sample body for the rule */
const sampleOf = ({ eventType }: Rule) =>
  JSON.stringify({ id: 'evt_1', type: sampleType(eventType), data: {} }, null, 2)

/** @returns a type that matches the pattern; `undefined` for none, which JSON leaves out */
const sampleType = (pattern: string) => (pattern === '(none)' ? undefined : pattern.replaceAll('*', 'sample'))

export function DryRunDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const [result, setResult] = useState<DryRun | null>(null)
  const { data } = useLoaded<readonly Receipt[]>(rule.provider, (signal) =>
    get('/api/webhooks/receipts', { query: { provider: rule.provider.toLowerCase() }, signal }),
  )
  const submit = async (typed: Typed) => {
    setResult(null)
    const path = `/api/webhooks/rules/${rule.id}/dry-run`
    setResult((await request<DryRun>('POST', path, { body: inputOf(typed) })).body)
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.text}</p>
      <Form
        initial={{ receiptId: '', body: sampleOf(rule), eventType: '' }}
        submit={submit}
        button={words.button}
        cancel={text.action.close}
        onCancel={onClose}
        noValidate
      >
        {(form) => (
          <>
            <Field label={words.source}>
              {(control) => (
                <select
                  {...control}
                  value={form.values.receiptId}
                  onChange={({ currentTarget }) => form.set({ receiptId: currentTarget.value })}
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
            {form.values.receiptId === '' && (
              <>
                <TextField form={form} name="body" label={words.body} isCode isRequired />
                <TextField
                  form={form}
                  name="eventType"
                  label={text.webhook.eventType}
                  hint={words.eventTypeHint}
                />
              </>
            )}
          </>
        )}
      </Form>
      {result !== null && <Result of={result} />}
    </Dialog>
  )
}

/** @throws ApiError if the body is not valid JSON */
function inputOf({ receiptId, body, eventType }: Typed) {
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
