/** Encrypted cursors, for lists whose cursor may name a row that the caller is not allowed to see. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Context } from './context.ts'

/** The purpose of the keyed digest from which the keys of cursors are made. */
export const cursorPurpose = 'cursor'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** @param list the name of the list: another list refuses the cursor */
export function sealCursor(context: Context, list: string, place: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, keyOf(context, list), nonce)
  const encrypted = Buffer.concat([cipher.update(place, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** @returns the position; `null` for a cursor that this installation has not made for the list */
export function openCursor(context: Context, list: string, cursor: string): string | null {
  const bytes = Buffer.from(cursor, 'base64url')
  const headerLength = nonceLength + tagLength
  if (bytes.length < headerLength) return null
  const options = { authTagLength: tagLength } // a shorter tag is easier to guess
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, keyOf(context, list), nonce, options)
  decipher.setAuthTag(bytes.subarray(nonceLength, headerLength))
  const place = decipher.update(bytes.subarray(headerLength))
  try {
    return Buffer.concat([place, decipher.final()]).toString('utf8')
  } catch {
    return null // the tag does not match
  }
}

/** @returns the key that encrypts the cursors of one list of a tenant */
function keyOf({ shared, tenant }: Context, list: string): Buffer {
  return shared.secretBox.digest(`${tenant.id} ${list}`, cursorPurpose)
}
