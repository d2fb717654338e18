/** Who has done what, and as whom; on the host, in all tenants. */
import { useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { hrefOf } from '../../router.ts'
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

const filtersOfAll: readonly Filter[] = [{ name: 'tenantId', label: text.operator.tenantId }, ...filters]

export function AuditPage() {
  const isOfAll = useApp().can('audit:read-all')
  const path = isOfAll ? '/api/audit/all' : '/api/audit'
  const shown = isOfAll ? filtersOfAll : filters
  const query = useFilters(shown)
  const loaded = usePaged<AuditRecord>(path, query)
  const [opened, setOpened] = useState<AuditRecord | null>(null)
  const columns: Column<AuditRecord>[] = [
    { label: texts.when, show: ({ createdAt }) => <Moment value={createdAt} /> },
    ...(isOfAll ? [tenantColumn] : []),
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
          <AuditExport path={path} query={query} />
        </span>
      </div>
      <Filters path="/audit" filters={shown} />
      {isOfAll && query['tenantId'] === undefined && <p class="soft">{text.operator.auditOfOwn}</p>}
      <PagedTable label={texts.title} columns={columns} loaded={loaded} none={texts.none} />
      {opened !== null && <AuditDetail record={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

const tenantColumn: Column<AuditRecord> = {
  label: text.operator.tenant,
  show: ({ tenantId }) => <a href={hrefOf('/audit', { tenantId })}>{tenantId}</a>,
}
