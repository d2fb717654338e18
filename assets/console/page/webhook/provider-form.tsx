import { useState } from 'preact/hooks'
import { ApiError, request } from '../../api.ts'
import { Field } from '../../component/field.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { Secret } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'
import { type Provider, schemes } from './types.ts'

const { provider: words } = text.webhook
const usualTolerance = 300
const usualOverlap = 24

interface FormProps {
  /** `null` for a new one. */
  stored: Provider | null
  addressOf: (provider: string) => string
  onClose: () => void
}

export function ProviderForm({ stored, addressOf, onClose }: FormProps) {
  const [name, setName] = useState(stored?.provider ?? '')
  const [secret, setSecret] = useState('')
  const [scheme, setScheme] = useState(stored?.scheme ?? schemes[0])
  const [tolerance, setTolerance] = useState(`${stored?.toleranceSeconds ?? usualTolerance}`)
  const [overlap, setOverlap] = useState(`${usualOverlap}`)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = {
        scheme,
        toleranceSeconds: Number(tolerance),
        ...(secret !== '' && { secret, overlapHours: Number(overlap) }),
      }
      await request('PUT', `/api/webhooks/providers/${encodeURIComponent(name.trim())}`, { body })
      onClose()
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  const faultOf = (pointer: string) =>
    (error instanceof ApiError ? error.faults : []).find((fault) => fault.pointer === pointer)?.reason ?? null
  const isNamed = name.trim() !== ''
  return (
    <form class="form" noValidate onSubmit={(event) => void send(event)}>
      {error !== null && <ErrorNotice error={error} />}
      {stored === null && (
        <Field label={words.name} hint={words.nameHint} isRequired>
          {(control) => (
            <input
              {...control}
              placeholder={'stripe'}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
      )}
      {isNamed && <Address value={addressOf(name.trim().toLowerCase())} />}
      <Field
        label={words.secret}
        hint={stored === null ? words.secretHint : words.newSecretHint}
        fault={faultOf('/secret')}
        isRequired={stored === null}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autocomplete="new-password"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        )}
      </Field>
      {stored !== null && (
        <Field label={text.webhook.overlap} hint={words.overlapHint} fault={faultOf('/overlapHours')}>
          {(control) => (
            <NumberInput control={control} value={overlap} onInput={setOverlap} range={[0, 168]} />
          )}
        </Field>
      )}
      <Field label={words.scheme} hint={words.schemeHint} fault={faultOf('/scheme')}>
        {(control) => (
          <select
            {...control}
            value={scheme}
            onChange={({ currentTarget }) => setScheme(currentTarget.value)}
          >
            {schemes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label={words.tolerance} hint={words.toleranceHint} fault={faultOf('/toleranceSeconds')}>
        {(control) => (
          <NumberInput control={control} value={tolerance} onInput={setTolerance} range={[1, 86_400]} />
        )}
      </Field>
      <div class="row">
        <button type="submit" class="main" disabled={isBusy || !isNamed}>
          {text.action.save}
        </button>
        <button type="button" onClick={onClose}>
          {text.action.cancel}
        </button>
      </div>
    </form>
  )
}

function Address({ value }: { value: string }) {
  return (
    <div class="field">
      <span class="label">{words.address}</span>
      <Secret value={value} />
    </div>
  )
}

interface NumberProps {
  control: { id: string }
  value: string
  onInput: (value: string) => void
  range: readonly [min: number, max: number]
}

function NumberInput({ control, value, onInput, range: [min, max] }: NumberProps) {
  return (
    <input
      {...control}
      type="number"
      min={min}
      max={max}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}
