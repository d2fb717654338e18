/** The form that creates or changes a rule, which runs an action for incoming webhooks. */
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Form, TextField } from '../../component/form.tsx'
import { changedMembers } from '../../component/merge.ts'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Provider, Rule } from './types.ts'

const { rule: words } = text.webhook

export function RuleForm({ stored, onClose }: { stored: Rule | null; onClose: () => void }) {
  const { can } = useApp()
  const initial = {
    provider: stored?.provider ?? '',
    eventType: stored?.eventType ?? '',
    action: stored?.action ?? '',
  }
  const { data: providers } = useLoaded<readonly Provider[]>('providers', async (signal) =>
    can('webhookProvider:read') ? get('/api/webhooks/providers', { signal }) : [],
  )
  const { data: actions } = useLoaded('actions', (signal) =>
    get<{ name: string }[]>('/api/webhooks/actions', { signal }),
  )
  const save = async (rule: typeof initial) => {
    // A change sends only changed members, because a request with the action makes its sender the owner of the rule.
    if (stored === null) await request('POST', '/api/webhooks/rules', { body: rule })
    else await request('PATCH', `/api/webhooks/rules/${stored.id}`, { body: changedMembers(initial, rule) })
    onClose()
  }
  return (
    <Form
      initial={initial}
      button={stored === null ? text.action.create : text.action.save}
      submit={save}
      onCancel={onClose}
      noValidate
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="provider"
            label={text.webhook.provider.name}
            hint={words.providerHint}
            options={providers?.map(({ provider }) => provider) ?? []}
            isRequired
          />
          <TextField
            form={form}
            name="eventType"
            label={text.webhook.eventType}
            hint={words.eventTypeHint}
            options={['*', '(none)']}
            isRequired
          />
          <TextField
            form={form}
            name="action"
            label={words.action}
            hint={words.actionHint}
            options={actions?.map(({ name }) => name) ?? []}
            isRequired
          />
        </>
      )}
    </Form>
  )
}
