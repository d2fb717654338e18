import { randomBytes } from 'node:crypto'

/** As `MASTER_KEY` has it. */
export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}
