/** What the audit has of a row. */
import { useState } from 'preact/hooks'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { text } from '../../text/text.ts'
import { AuditDetail, type AuditRecord, whoOf } from './audit-detail.tsx'
import { usePaged } from './paged.ts'
import { PagedTable } from './paged-table.tsx'

const texts = text.administration.audit

export function RowAudit({ id }: { id: string }) {
  const loaded = usePaged<AuditRecord>('/api/audit', { subjectId: id })
  const [opened, setOpened] = useState<AuditRecord | null>(null)
  const columns: Column<AuditRecord>[] = [
    { label: texts.when, show: ({ createdAt }) => <Moment value={createdAt} /> },
    { label: texts.action, show: ({ action }) => <code>{action}</code> },
    { label: texts.who, show: whoOf },
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
    <>
      <PagedTable label={texts.title} columns={columns} loaded={loaded} none={texts.none} />
      {opened !== null && <AuditDetail record={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
