/** Rows that name files: a file that a row names is not swept, and its type and size fit the field. */
import { type Context, now } from '../core/context.ts'
import { asTenant } from '../core/create-context.ts'
import { invalidField } from '../core/errors.ts'
import { findFileForUpdate, markUnused } from './sql.ts'

/** What a field accepts. */
export interface FileRules {
  types: readonly string[]
  maxBytes: number
}

export interface FileUse {
  /** As callers write it, for errors: `documentId`. */
  member: string
  id: string
  rules: FileRules
}

/**
 * In the transaction that writes the row.
 * @throws ServiceError `invalid` for no file that the caller reads, or one that does not fit
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

/** In the transaction that writes the row. Another row may name the file as well: the sweep asks the database. */
export async function releaseFile(inside: Context, id: string): Promise<void> {
  await markUnused(asTenant(inside).data, id, now(inside))
}
