/** Password hashes as an earlier version of the service might have made them. */
import { argon2Sync, randomBytes } from 'node:crypto'
import type { TestService } from './service.ts'

export function weakHash(password: string): string {
  return hashWith(password, { memory: 8192, passes: 1, parallelism: 1 })
}

/** Verifying it would take a gigabyte and many seconds. */
export const enormous = `$argon2id$v=19$m=1048576,t=60,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`

export function hashWith(
  password: string,
  parameters: { memory: number; passes: number; parallelism: number },
): string {
  const salt = randomBytes(16)
  const { memory, passes, parallelism } = parameters
  const tag = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...parameters })
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`
}

/** Writes the hash directly to the database. */
export async function setHash({ service }: TestService, userName: string, hash: string): Promise<void> {
  const { catalogueDatabase } = (await service.operator()).shared
  const sql = `UPDATE account SET password_hash = '${hash}' WHERE user_name = '${userName}'`
  await catalogueDatabase.transaction(async (inside) => void (await inside.run(sql, [], false)))
}
