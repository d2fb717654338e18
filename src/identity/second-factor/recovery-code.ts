/** Codes for users who have lost their second factor: ten, each of which works once. Only their digests are stored. */
import { hash, randomBytes } from 'node:crypto'
import { type Context, now } from '../../core/context.ts'
import type { Account } from '../user/account.ts'
import { deleteRecoveryCodes, insertRecoveryCodes, takeRecoveryCode } from './sql.ts'
import { toBase32 } from './totp.ts'

const count = 10
/** 80 random bits: a fast hash suffices, because nobody can try so many codes against a digest. */
const codeBytes = 10

/** Replaces the codes of the user, inside a transaction. @returns the codes, which cannot be read again */
export async function renewRecoveryCodes(inside: Context, account: Account): Promise<string[]> {
  const codes = Array.from({ length: count }, () => toBase32(randomBytes(codeBytes)))
  const user = inside.catalogue.ofUser(account.id)
  await deleteRecoveryCodes(user)
  await insertRecoveryCodes(
    user,
    codes.map((code) => ({ hash: hashOf(account, code), created_at: now(inside) })),
  )
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

/** Uses the code, inside a transaction. Of several simultaneous callers one succeeds. */
export function useRecoveryCode(inside: Context, account: Account, code: string): Promise<boolean> {
  return takeRecoveryCode(inside.catalogue.ofUser(account.id), hashOf(account, code.toUpperCase()))
}

function hashOf({ id }: Account, code: string): string {
  return hash('sha256', `${id}:${code}`)
}
