/** Saves all audit records that match the filters to a file. */
import { ActionButton } from '../../component/action-button.tsx'
import { loadAll } from '../../component/list.ts'
import { toCsv } from '../../entity/csv.ts'
import { saveFile } from '../../entity/export.tsx'
import { text } from '../../text/text.ts'
import type { AuditRecord } from './audit-detail.tsx'

const names = [
  ...['id', 'createdAt', 'tenantId', 'action', 'actorId', 'actorName', 'impersonatorId', 'impersonatorName'],
  ...['subjectType', 'subjectId', 'detail', 'clientAddress', 'requestId'],
]

interface AuditExportProps {
  path: string
  query: Readonly<Record<string, string>>
}

export function AuditExport({ path, query }: AuditExportProps) {
  const save = async (format: 'csv' | 'json') => {
    const records = await loadAll<AuditRecord & Record<string, unknown>>(path, query)
    const content = format === 'json' ? JSON.stringify(records, null, 2) : toCsv(names, records)
    const type = format === 'json' ? 'application/json' : 'text/csv'
    saveFile(new Blob([content], { type }), `audit.${format}`)
  }
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <ActionButton key={format} act={() => save(format)}>
          {text.action.export} {format.toUpperCase()}
        </ActionButton>
      ))}
    </>
  )
}
