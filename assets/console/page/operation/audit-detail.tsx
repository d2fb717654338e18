/** The dialog for a record of the audit, with the values before and after side by side. */
import { type Column, RowsTable } from '../../component/data-table.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { Values } from '../../component/values.tsx'
import { words } from '../../describe.ts'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { Subject } from './subject.tsx'

const texts = text.administration.audit

export interface AuditRecord {
  id: string
  tenantId: string
  actorId: string | null
  actorName: string | null
  impersonatorId: string | null
  impersonatorName: string | null
  action: string
  subjectType: string
  subjectId: string | null
  detail: Readonly<Record<string, unknown>>
  clientAddress: string | null
  requestId: string
  createdAt: string
}

export function whoOf({ actorName, actorId, impersonatorName, impersonatorId }: AuditRecord): string {
  const actor = actorName ?? actorId ?? texts.system
  return impersonatorId === null ? actor : texts.asWhom(impersonatorName ?? impersonatorId, actor)
}

export function AuditDetail({ record, onClose }: { record: AuditRecord; onClose: () => void }) {
  const { changes, facts } = readDetail(record.detail)
  const { actorId, subjectId } = record
  return (
    <Dialog title={record.action} onClose={onClose}>
      <Values
        values={[
          [texts.when, <MomentInWords key="when" value={record.createdAt} />],
          [text.operator.tenant, record.tenantId],
          [
            texts.who,
            <>
              {whoOf(record)}{' '}
              {actorId !== null && (
                <RecordsLink query={{ actorId }} label={texts.ofActor} onClick={onClose} />
              )}
            </>,
          ],
          [
            texts.subject,
            <>
              <Subject type={record.subjectType} id={subjectId} />{' '}
              {subjectId !== null && (
                <RecordsLink query={{ subjectId }} label={texts.ofSubject} onClick={onClose} />
              )}
            </>,
          ],
          ...facts.map(([name, value]) => [words(name), shown(value)] as const),
        ]}
      />
      {changes.length > 0 && (
        <RowsTable label={texts.detail} columns={changeColumns} rows={changes} keyOf={({ name }) => name} />
      )}
      {changes.length === 0 && facts.length === 0 && <p class="soft">{texts.noDetail}</p>}
      <code class="soft">{text.state.request(record.requestId)}</code>
      <div class="row">
        <button type="button" onClick={onClose}>
          {text.action.close}
        </button>
      </div>
    </Dialog>
  )
}

interface RecordsLinkProps {
  query: Readonly<Record<string, string>>
  label: string
  onClick: () => void
}

function RecordsLink({ query, label, onClick }: RecordsLinkProps) {
  return (
    <a href={hrefOf('/audit', query)} onClick={onClick}>
      {label}
    </a>
  )
}

interface Change {
  name: string
  before: unknown
  after: unknown
}

const changeColumns: readonly Column<Change>[] = [
  { label: texts.member, show: ({ name }) => words(name) },
  { label: texts.before, show: ({ before, after }) => <Side value={before} other={after} /> },
  { label: texts.after, show: ({ before, after }) => <Side value={after} other={before} /> },
]

/** Shows one side. Elements that only this list has are marked. */
function Side({ value, other }: { value: unknown; other: unknown }) {
  if (!Array.isArray(value)) return <>{shown(value)}</>
  const others = Array.isArray(other) ? other : []
  return (
    <>
      {value.map((item) => (
        <div key={String(item)}>
          {others.includes(item) ? <span class="soft">{shown(item)}</span> : <mark>{shown(item)}</mark>}
        </div>
      ))}
    </>
  )
}

/**
 * Splits the detail of a record into changes, which have `before` and `after`, and facts, which are everything else.
 */
function readDetail(detail: AuditRecord['detail']): { changes: Change[]; facts: [string, unknown][] } {
  const changes: Change[] = []
  const facts: [string, unknown][] = []
  if ('before' in detail || 'after' in detail)
    changes.push({ name: texts.detail, before: detail['before'], after: detail['after'] })
  for (const [name, value] of Object.entries(detail)) {
    if (name === 'before' || name === 'after') continue
    if (isChange(value)) changes.push({ name, before: value.before, after: value.after })
    else facts.push([name, value])
  }
  return { changes, facts }
}

function isChange(value: unknown): value is { before?: unknown; after?: unknown } {
  return typeof value === 'object' && value !== null && ('before' in value || 'after' in value)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return text.state.none
  if (typeof value === 'boolean') return value ? text.state.yes : text.state.no
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
