/**
 * Selects the audit records that a reader may see. For a table with access rules, these are the records about rows that
 * the rules let the reader read.
 */
import type { TenantData } from '../../database/data.ts'
import type { AuditedRows } from '../../database/row-rule.ts'
import type { Context } from '../context.ts'
import { isUuid } from '../id.ts'
import { reachOf } from '../reach.ts'
import { type AuditRow, reachedIds } from './sql.ts'

/** @returns the records that the reader may see, in the given order */
export type KeepRecords = (records: readonly AuditRow[]) => Promise<AuditRow[]>

/**
 * @param data the database with the rows that records are about; `null` if the reader may read none of these rows
 * @returns `null` for a reader who may see every record
 */
export function recordsInReach(context: Context, data: TenantData | null): KeepRecords | null {
  const reach = reachOf(context)
  if (reach === null) return null
  const readsAny = ({ readers }: AuditedRows) => readers === null || readers.some((each) => reach.may(each))
  /** The tables with restricted records, by kind of subject; `null` if the reader may see no record of the kind. */
  const tables = new Map<string, string | null>()
  for (const [table, { audited }] of reach.rules) {
    if (audited === undefined || reach.readsAll(table)) continue
    tables.set(audited.subject, readsAny(audited) && reach.mayReach(table, 'read') ? table : null)
  }
  if (tables.size === 0) return null
  return async (records) => {
    const reached = data === null ? new Set<string>() : await subjectsInReach(data, tables, records)
    return records.filter((record) => !tables.has(record.subject_type) || reached.has(subjectOf(record)))
  }
}

/** Finds the subjects that the reader may read, with one query for each kind. */
async function subjectsInReach(
  data: TenantData,
  tables: ReadonlyMap<string, string | null>,
  records: readonly AuditRow[],
): Promise<Set<string>> {
  const asked = records.filter(({ subject_id: id }) => id !== null && isUuid(id))
  const found = new Set<string>()
  for (const [subject, ofSubject] of Map.groupBy(asked, (record) => record.subject_type)) {
    const table = tables.get(subject) ?? null
    if (table === null) continue
    const ids = [...new Set(ofSubject.map((record) => record.subject_id ?? ''))]
    for (const id of await reachedIds(data, table, ids)) found.add(`${subject} ${id}`)
  }
  return found
}

function subjectOf({ subject_type: type, subject_id: id }: AuditRow): string {
  return `${type} ${id}`
}
