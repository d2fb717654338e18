/** The audit records about a row, in a tab of its page. */
import { useState } from 'preact/hooks'
import type { Column } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListTable } from '../../component/list-page.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { text } from '../../text/text.ts'
import { AuditDetail, type AuditRecord, whoOf } from './audit-detail.tsx'

const texts = text.administration.audit

export function RowAudit({ id }: { id: string }) {
  const list = useList<AuditRecord>({
    path: '/api/audit',
    // The address keeps the tab when another page of records is shown.
    filters: [{ name: 'tab', isNoFilter: true }],
    sent: () => ({ subjectId: id }),
  })
  const [opened, setOpened] = useState<AuditRecord | null>(null)
  const columns: Column<AuditRecord>[] = [
    { label: texts.when, show: ({ createdAt }) => <MomentInWords value={createdAt} /> },
    { label: texts.action, show: ({ action }) => <code>{action}</code> },
    { label: texts.who, show: whoOf },
    {
      label: texts.detail,
      show: (record) => (
        <button type="button" onClick={() => setOpened(record)}>
          {text.operator.health.show}
          <span class="hidden"> {record.action}</span>
        </button>
      ),
    },
  ]
  return (
    <>
      <ListTable label={texts.title} columns={columns} list={list} none={texts.none} />
      {opened !== null && <AuditDetail record={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
