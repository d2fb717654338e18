/** The page of rules for incoming webhooks: which action runs for which events of a provider. */
import { Workflow } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { code, moment, plain } from '../../component/columns.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Badge } from '../../component/status-badge.tsx'
import { text } from '../../text/text.ts'
import { providerFinder } from '../finders.ts'
import { DryRunDialog } from './dry-run.tsx'
import { RuleForm } from './rule-form.tsx'
import type { Rule } from './types.ts'

const { rule: words } = text.webhook
const path = '/api/webhooks/rules'

const rules: Resource<Rule> = {
  path,
  title: text.navigation.rules,
  text: words.text,
  icon: Workflow,
  none: words.empty,
  isCounted: true,
  filters: [
    { name: 'provider', label: text.webhook.provider.name, kind: providerFinder },
    {
      name: 'isActive',
      label: text.webhook.status,
      kind: [
        ['true', words.active],
        ['false', words.paused],
      ],
    },
  ],
  columns: [
    plain(text.webhook.provider.name, 'provider'),
    code(text.webhook.eventType, 'eventType'),
    {
      label: words.action,
      show: ({ action, unknownAction }) => (
        <>
          <code>{action}</code> {unknownAction && <Badge tone="bad">{words.unknown}</Badge>}
        </>
      ),
    },
    {
      label: text.webhook.status,
      show: ({ isActive }) => (
        <Badge tone={isActive ? 'good' : undefined}>{isActive ? words.active : words.paused}</Badge>
      ),
    },
    moment(text.webhook.created, 'createdAt'),
  ],
}

export default function RulePage() {
  const { can } = useApp()
  const list = useList<Rule>(rules)
  const [edited, setEdited] = useState<Rule | 'new' | null>(null)
  const [tried, setTried] = useState<Rule | null>(null)
  const close = () => {
    setEdited(null)
    list.reload()
  }
  return (
    <ListPage<Rule>
      resource={rules}
      list={list}
      action={
        can('incomingWebhook:write') && (
          <button type="button" class="main" onClick={() => setEdited('new')}>
            {words.create}
          </button>
        )
      }
      actionsOf={
        can('incomingWebhook:write') &&
        ((row) => <RuleActions row={row} onEdit={setEdited} onTry={setTried} onChange={list.reload} />)
      }
    >
      {tried !== null && <DryRunDialog rule={tried} onClose={() => setTried(null)} />}
      {edited !== null && (
        <Dialog title={edited === 'new' ? words.create : words.edit} onClose={close}>
          <RuleForm stored={edited === 'new' ? null : edited} onClose={close} />
        </Dialog>
      )}
    </ListPage>
  )
}

interface RuleActionsProps {
  row: Rule
  onEdit: (rule: Rule) => void
  onTry: (rule: Rule) => void
  onChange: () => void
}

function RuleActions({ row, onEdit, onTry, onChange }: RuleActionsProps) {
  const { id, isActive, eventType, action } = row
  const change = async () => {
    await request('PATCH', `${path}/${id}`, { body: { isActive: !isActive } })
    onChange()
  }
  const remove = async () => {
    await request('DELETE', `${path}/${id}`)
    onChange()
  }
  return (
    <>
      <button type="button" onClick={() => onEdit(row)}>
        {text.action.edit}
      </button>
      <button type="button" onClick={() => onTry(row)}>
        {text.webhook.dryRun.title}
      </button>
      <ActionButton act={change}>
        {isActive ? text.webhook.subscription.pause : text.webhook.subscription.activate}
      </ActionButton>
      <ActionButton kind="danger" act={remove} question={text.form.confirmDelete(`${eventType} → ${action}`)}>
        {text.action.delete}
      </ActionButton>
    </>
  )
}
