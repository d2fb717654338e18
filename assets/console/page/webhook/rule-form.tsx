import { useState } from 'preact/hooks'
import { ApiError, get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Field } from '../../component/field.tsx'
import { changedMembers } from '../../component/merge.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { useUniqueId } from '../../component/unique-id.ts'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Provider, Rule } from './types.ts'

const { rule: words } = text.webhook

/** Those of the service; applications have actions of their own, whose names can be typed. */
const builtInActions = ['order.pay', 'publish', 'log']

export function RuleForm({ stored, onClose }: { stored: Rule | null; onClose: () => void }) {
  const initial = {
    provider: stored?.provider ?? '',
    eventType: stored?.eventType ?? '',
    action: stored?.action ?? '',
  }
  const [rule, setRule] = useState(initial)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { can } = useApp()
  const { data } = useLoaded<readonly Provider[]>('providers', async (signal) =>
    can('webhookProvider:read') ? get('/api/webhooks/providers', { signal }) : [],
  )
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      // Whoever names the action becomes the owner.
      if (stored === null) await request('POST', '/api/webhooks/rules', { body: rule })
      else await request('PATCH', `/api/webhooks/rules/${stored.id}`, { body: changedMembers(initial, rule) })
      onClose()
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  const faultOf = (member: string) =>
    (error instanceof ApiError ? error.faults : []).find(({ pointer }) => pointer === `/${member}`)?.reason ??
    null
  const inputs = [
    [
      'provider',
      text.webhook.provider.name,
      words.providerHint,
      (data ?? []).map(({ provider }) => provider),
    ],
    ['eventType', text.webhook.eventType, words.eventTypeHint, ['*', '(none)']],
    ['action', words.action, words.actionHint, builtInActions],
  ] as const
  return (
    <form class="form" noValidate onSubmit={(event) => void send(event)}>
      {error !== null && <ErrorNotice error={error} />}
      {inputs.map(([member, label, hint, options]) => (
        <Field key={member} label={label} hint={hint} fault={faultOf(member)} isRequired>
          {(control) => (
            <Suggested
              control={control}
              value={rule[member]}
              options={options}
              onInput={(value) => setRule({ ...rule, [member]: value })}
            />
          )}
        </Field>
      ))}
      <div class="row">
        <button type="submit" class="main" disabled={isBusy}>
          {stored === null ? text.action.create : text.action.save}
        </button>
        <button type="button" onClick={onClose}>
          {text.action.cancel}
        </button>
      </div>
    </form>
  )
}

interface SuggestedProps {
  control: { id: string }
  value: string
  options: readonly string[]
  onInput: (value: string) => void
}

function Suggested({ control, value, options, onInput }: SuggestedProps) {
  const list = useUniqueId()
  return (
    <>
      <input
        {...control}
        list={list}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={list}>
        {options.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
