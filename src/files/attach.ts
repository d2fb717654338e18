/** Connects rows with the files that they name. Such a file fits the field, and the sweep does not remove it. */
import { type Context, now } from '../core/context.ts'
import { asTenant } from '../core/create-context.ts'
import { invalidField } from '../core/errors.ts'
import { findFileForUpdate, markUnused } from './sql.ts'

/** The files that a field accepts. */
export interface FileRules {
  types: readonly string[]
  maxBytes: number
}

export interface FileUse {
  /** The name of the field as callers write it, such as `documentId`. It is used in errors. */
  member: string
  id: string
  rules: FileRules
}

/**
 * Checks the file in the transaction that writes the row, and marks it as used.
 * @throws ServiceError `invalid` for a file that the caller does not read, or that does not fit
 */
export async function attachFile(inside: Context, { member, id, rules }: FileUse): Promise<void> {
  const file = await findFileForUpdate(inside.data, id)
  if (file === null) throw invalidField(member, 'names no file', 'notFound')
  if (!rules.types.includes(file.type))
    throw invalidField(member, `must name a file of the type ${rules.types.join(' or ')}`, {
      code: 'wrongFileType',
      parameters: { types: rules.types.join(', ') },
    })
  if (file.size > rules.maxBytes)
    throw invalidField(member, `must name a file of at most ${rules.maxBytes} bytes`, {
      code: 'tooLarge',
      parameters: { limit: rules.maxBytes, unit: 'B' },
    })
  if (file.unused_since !== null) await markUnused(asTenant(inside).data, id, null)
}

/** Marks the file as unused in the transaction that writes the row. If another row names it, the sweep will keep it. */
export async function releaseFile(inside: Context, id: string): Promise<void> {
  await markUnused(asTenant(inside).data, id, now(inside))
}
