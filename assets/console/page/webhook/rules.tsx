/** The rules for incoming webhooks: which action runs for which events of a provider. */
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { text } from '../../text/text.ts'
import { DryRunDialog } from './dry-run.tsx'
import { Moment } from './moment.tsx'
import { Pager, usePagedList } from './paged-list.tsx'
import { RuleForm } from './rule-form.tsx'
import type { Rule } from './types.ts'

const { rule: words } = text.webhook
const path = '/api/webhooks/rules'

export default function RulePage() {
  const { can } = useApp()
  const list = usePagedList<Rule>(path, [])
  const [edited, setEdited] = useState<Rule | 'new' | null>(null)
  const [tried, setTried] = useState<Rule | null>(null)
  const { reload } = list.rows
  const close = () => {
    setEdited(null)
    reload()
  }
  const create = can('incomingWebhook:write') && (
    <button type="button" class="main" onClick={() => setEdited('new')}>
      {words.create}
    </button>
  )
  const shown = can('incomingWebhook:write')
    ? [...columns, actionColumn({ onEdit: setEdited, onTry: setTried, onChange: reload })]
    : columns
  return (
    <div class="stack">
      <div class="row">
        <h1>{text.navigation.rules}</h1>
        <span class="end">{create}</span>
      </div>
      <p class="soft">{words.text}</p>
      <DataTable
        label={text.navigation.rules}
        columns={shown}
        loaded={list.rows}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>{words.empty}</p>
            <p>{create}</p>
          </>
        }
      />
      <Pager list={list} label={text.navigation.rules} />
      {tried !== null && <DryRunDialog rule={tried} onClose={() => setTried(null)} />}
      {edited !== null && (
        <Dialog title={edited === 'new' ? words.create : words.edit} onClose={close}>
          <RuleForm stored={edited === 'new' ? null : edited} onClose={close} />
        </Dialog>
      )}
    </div>
  )
}

const columns: readonly Column<Rule>[] = [
  { label: text.webhook.provider.name, show: ({ provider }) => provider },
  { label: text.webhook.eventType, show: ({ eventType }) => <code>{eventType}</code> },
  {
    label: words.action,
    show: ({ action, unknownAction }) => (
      <>
        <code>{action}</code> {unknownAction && <span class="badge bad">{words.unknown}</span>}
      </>
    ),
  },
  {
    label: text.webhook.status,
    show: ({ isActive }) => (
      <span class={isActive ? 'badge good' : 'badge'}>{isActive ? words.active : words.paused}</span>
    ),
  },
  { label: text.webhook.created, show: ({ createdAt }) => <Moment value={createdAt} /> },
]

interface RuleActions {
  onEdit: (rule: Rule) => void
  onTry: (rule: Rule) => void
  onChange: () => void
}

function actionColumn({ onEdit, onTry, onChange }: RuleActions): Column<Rule> {
  return {
    label: text.webhook.actions,
    show: (row) => {
      const change = async (isActive: boolean) => {
        await request('PATCH', `${path}/${row.id}`, { body: { isActive } })
        onChange()
      }
      const remove = async () => {
        await request('DELETE', `${path}/${row.id}`)
        onChange()
      }
      return (
        <span class="actions">
          <button type="button" onClick={() => onEdit(row)}>
            {text.action.edit}
          </button>
          <button type="button" onClick={() => onTry(row)}>
            {text.webhook.dryRun.title}
          </button>
          <ActionButton act={() => change(!row.isActive)}>
            {row.isActive ? text.webhook.subscription.pause : text.webhook.subscription.activate}
          </ActionButton>
          <ActionButton
            kind="danger"
            act={remove}
            question={text.form.confirmDelete(`${row.eventType} → ${row.action}`)}
          >
            {text.action.delete}
          </ActionButton>
        </span>
      )
    },
  }
}
