/** Who reads which file, where rules say who reads the rows that name files. */
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Permission } from '../core/permission.ts'
import type { RowCondition, RowRules } from '../database/row-rule.ts'

/** Has no rule: every file of the tenant. */
export const allFiles = 'file:all' satisfies Permission

export function areFilesRuled(namings: readonly FileNaming[]): boolean {
  return namings.some(({ isRuled }) => isRuled)
}

/**
 * A caller reads a file that a row names in a member that the caller reads, and the files that it has uploaded while no row
 * names them. The rule is a part of every statement on files, like those of rows.
 */
export function fileRules(namings: readonly FileNaming[]): RowRules {
  const isReached: RowCondition = { kind: 'any', parts: [ownUnused(namings), ...namings.map(namedInReach)] }
  // Other operations need it as well. Code alone changes a file, when a row begins or ceases to name it.
  const operations = { read: isReached, delete: isReached }
  return new Map([
    ['file', { all: allFiles, operations, audited: { subject: 'file', readers: ['file:read'] } }],
  ])
}

function ownUnused(namings: readonly FileNaming[]): RowCondition {
  const isOwn: RowCondition = {
    kind: 'value',
    column: 'uploaded_by',
    type: 'uuid',
    of: ({ actorId }) => (actorId === null ? [] : [actorId]),
  }
  // The time since when a file is unused is none: another row may name it since before.
  return { kind: 'all', parts: [isOwn, { kind: 'unnamed', by: namings }] }
}

function namedInReach(naming: FileNaming): RowCondition {
  const isRead: RowCondition = {
    kind: 'caller',
    holds: (caller) => naming.isRead({ has: (permission) => caller.may(permission) }),
  }
  return { kind: 'all', parts: [isRead, { kind: 'named', by: naming }] }
}
