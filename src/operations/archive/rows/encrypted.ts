/** The contents of encrypted columns, which are validated like values that are not encrypted. */
import { CannotDecrypt, type SecretBox } from '../../../core/encryption/secret-box.ts'
import type { EncryptedColumn } from '../../../database/encrypted-rows.ts'

/** The purpose for which the values of a column are encrypted, by table and column. */
export type EncryptedPurposes = ReadonlyMap<string, ReadonlyMap<string, string>>

export function purposesOf(columns: readonly EncryptedColumn[]): EncryptedPurposes {
  const tables = Map.groupBy(columns, ({ table }) => table)
  return new Map(
    [...tables].map(([table, ofTable]) => [
      table,
      new Map(ofTable.map(({ column, purpose }) => [column, purpose])),
    ]),
  )
}

/** @returns the text of an encrypted value; any other value, and one that no key decrypts, as it is */
export function contentOf(value: unknown, purpose: string | undefined, secretBox: SecretBox): unknown {
  if (purpose === undefined || !(value instanceof Uint8Array)) return value
  if (value.length === 0) return ''
  try {
    return secretBox.decrypt(value, purpose)
  } catch (error) {
    if (error instanceof CannotDecrypt) return value
    throw error
  }
}
