/** The page of the audit: who has done what, and as whom. On the host it has the records of all tenants. */
import { History } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { code, moment, plain } from '../../component/columns.tsx'
import type { Column } from '../../component/data-table.tsx'
import type { Filter } from '../../component/filters.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { auditActionFinder, subjectFinder, tenantFinder, userFinder } from '../finders.ts'
import { TenantName } from '../tenant-name.tsx'
import { AuditDetail, type AuditRecord, whoOf } from './audit-detail.tsx'
import { AuditExport } from './audit-export.tsx'
import { Subject } from './subject.tsx'

const texts = text.administration.audit

const filters: readonly Filter[] = [
  { name: 'action', label: texts.action, kind: auditActionFinder },
  { name: 'actorId', label: texts.who, kind: userFinder },
  { name: 'subjectId', label: texts.subject, kind: subjectFinder },
]

const action: Column<AuditRecord> = code(texts.action, 'action')

const columns: readonly Column<AuditRecord>[] = [
  { label: texts.who, show: whoOf },
  {
    label: texts.subject,
    show: ({ subjectType, subjectId }) => <Subject type={subjectType} id={subjectId} />,
  },
  moment(texts.when, 'createdAt'),
  plain(texts.from, 'clientAddress'),
]

const tenantColumn: Column<AuditRecord> = {
  label: text.operator.tenant,
  show: ({ tenantId }) => <TenantName id={tenantId} href={hrefOf('/audit', { tenantId })} />,
}

const ofTenant: Resource<AuditRecord> = {
  path: '/api/audit',
  title: texts.title,
  text: texts.text,
  icon: History,
  none: texts.none,
  filters,
  columns: [action, ...columns],
}

const ofAll: Resource<AuditRecord> = {
  ...ofTenant,
  path: '/api/audit/all',
  filters: [{ name: 'tenantId', label: text.operator.tenant, kind: tenantFinder }, ...filters],
  columns: [action, tenantColumn, ...columns],
}

export function AuditPage() {
  const isOfAll = useApp().can('audit:read-all')
  const resource = isOfAll ? ofAll : ofTenant
  const list = useList<AuditRecord>(resource)
  const [opened, setOpened] = useState<AuditRecord | null>(null)
  return (
    <ListPage
      resource={resource}
      list={list}
      onOpen={setOpened}
      action={<AuditExport path={resource.path} query={list.query} />}
    >
      {isOfAll && list.query['tenantId'] === undefined && <p class="soft">{text.operator.auditOfOwn}</p>}
      {opened !== null && <AuditDetail record={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}
