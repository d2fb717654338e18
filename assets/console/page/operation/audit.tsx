/** Who has done what, and as whom. */
import { useState } from 'preact/hooks'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { text } from '../../text/text.ts'
import { AuditDetail, type AuditRecord, whoOf } from './audit-detail.tsx'
import { AuditExport } from './audit-export.tsx'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { usePaged } from './paged.ts'
import { PagedTable } from './paged-table.tsx'

const texts = text.administration.audit

const filters: readonly Filter[] = [
  { name: 'action', label: texts.action },
  { name: 'actorId', label: texts.actorId },
  { name: 'subjectId', label: texts.subjectId },
]

export function AuditPage() {
  const query = useFilters(filters)
  const loaded = usePaged<AuditRecord>('/api/audit', query)
  const [opened, setOpened] = useState<AuditRecord | null>(null)
  const columns: Column<AuditRecord>[] = [
    { label: texts.when, show: ({ createdAt }) => <Moment value={createdAt} /> },
    { label: texts.action, show: ({ action }) => <code>{action}</code> },
    { label: texts.who, show: whoOf },
    {
      label: texts.subject,
      show: ({ subjectType, subjectId }) => (
        <>
          {subjectType} <code class="soft">{subjectId?.slice(0, 13)}</code>
        </>
      ),
    },
    {
      label: texts.from,
      show: ({ clientAddress }) => clientAddress ?? <span class="soft">{text.state.none}</span>,
    },
    {
      label: texts.detail,
      show: (record) => (
        <button type="button" onClick={() => setOpened(record)}>
          {texts.show}
          <span class="hidden"> {record.action}</span>
        </button>
      ),
    },
  ]
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        <span class="end row">
          <AuditExport query={query} />
        </span>
      </div>
      <Filters path="/audit" filters={filters} />
      <PagedTable label={texts.title} columns={columns} loaded={loaded} none={texts.none} />
      {opened !== null && <AuditDetail record={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}
