/** Decides who reads which file if rules decide who reads the rows that name files. */
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Permission } from '../core/permission.ts'
import type { RowCondition, RowRules } from '../database/row-rule.ts'

/** The permission to reach every file of the tenant, without a rule. */
export const reachAllFiles = 'file:all' satisfies Permission

export function areFilesRuled(namings: readonly FileNaming[]): boolean {
  return namings.some(({ isRuled }) => isRuled)
}

/**
 * A caller reads a file if it reads a row and the member in which the row names the file. A caller
 * also reads files that it has uploaded while no row names them. The rule is a part of every statement
 * on files, like the rules of rows.
 */
export function fileRules(namings: readonly FileNaming[]): RowRules {
  const isReached: RowCondition = { kind: 'any', parts: [ownUnused(namings), ...namings.map(namedInReach)] }
  // Deleting needs the rule as well. There is none for updates, because only code of the service updates files.
  // An entry of the audit about a file is shown only to who has `file:read` and reaches the file (`audited`).
  const operations = { read: isReached, delete: isReached }
  return new Map([
    ['file', { all: reachAllFiles, operations, audited: { subject: 'file', readers: ['file:read'] } }],
  ])
}

function ownUnused(namings: readonly FileNaming[]): RowCondition {
  const isOwn: RowCondition = {
    kind: 'value',
    column: 'uploaded_by',
    type: 'uuid',
    of: ({ actorId }) => (actorId === null ? [] : [actorId]),
  }
  // `unused_since` does not tell whether a file is unused, because another row may still name it.
  return { kind: 'all', parts: [isOwn, { kind: 'unnamed', by: namings }] }
}

function namedInReach(naming: FileNaming): RowCondition {
  const isRead: RowCondition = {
    kind: 'caller',
    holds: (caller) => naming.isRead({ has: (permission) => caller.may(permission) }),
  }
  return { kind: 'all', parts: [isRead, { kind: 'named', by: naming }] }
}
