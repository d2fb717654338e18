/** Mails of the tenant: what was sent, what was not, and another attempt. */
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { text } from '../../text/text.ts'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { usePaged } from './paged.ts'
import { PagedTable } from './paged-table.tsx'
import { StatusBadge } from './status-badge.tsx'

const texts = text.administration.mails
const { common } = text.administration

interface Mail {
  id: string
  template: string
  recipient: string
  status: string
  attempts: number
  error: string | null
  isRetriable: boolean
  createdAt: string
  sentAt: string | null
}

const filters: readonly Filter[] = [
  { name: 'status', label: common.state, values: ['PENDING', 'SENT', 'DEAD'] },
  { name: 'template', label: texts.template },
  { name: 'recipient', label: texts.recipient },
  { name: 'error', label: common.error },
]

const columns: readonly Column<Mail>[] = [
  { label: texts.recipient, show: ({ recipient }) => recipient },
  { label: texts.template, show: ({ template }) => <code>{template}</code> },
  { label: common.state, show: ({ status }) => <StatusBadge status={status} /> },
  { label: common.attempts, show: ({ attempts }) => attempts, isNumber: true },
  { label: common.error, show: ({ error }) => error ?? <span class="soft">{text.state.none}</span> },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
  { label: texts.sentAt, show: ({ sentAt }) => <Moment value={sentAt} /> },
]

export function MailsPage() {
  const { can } = useApp()
  const loaded = usePaged<Mail>('/api/mails', useFilters(filters))
  const retry = async (id: string) => {
    await request('POST', `/api/mails/${id}/retry`)
    loaded.reload()
  }
  const actions: Column<Mail> = {
    label: common.actions,
    show: ({ id, isRetriable }) =>
      isRetriable ? <ActionButton act={() => retry(id)}>{text.action.retry}</ActionButton> : null,
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        <button type="button" class="end" onClick={loaded.reload}>
          {common.reload}
        </button>
      </div>
      <Filters path="/mails" filters={filters} />
      <PagedTable
        label={texts.title}
        columns={can('mail:write') ? [...columns, actions] : columns}
        loaded={loaded}
        none={texts.none}
      />
    </div>
  )
}
