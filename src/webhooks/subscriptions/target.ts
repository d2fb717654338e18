/** The receiver of deliveries: the part of a subscription that an attempt needs, decrypted. */
import type { Selectable } from 'kysely'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { decryptHeaders, type OwnHeaders } from './header.ts'
import { decryptSecrets, liveSecrets } from './secret.ts'
import type { SubscriptionTable } from './table.ts'

export interface Target {
  url: string
  /** The secrets, newest first. Each of them signs. */
  secrets: string[]
  headers: OwnHeaders
}

export type TargetRow = Pick<
  Selectable<SubscriptionTable>,
  | 'id'
  | 'tenant_id'
  | 'url'
  | 'owner'
  | 'access'
  | 'customer'
  | 'events'
  | 'secrets'
  | 'headers'
  | 'retry_seconds'
  | 'is_active'
  | 'deactivated_at'
>

/** @throws CannotDecrypt */
export function toTarget(row: TargetRow, secretBox: SecretBox, now: Date): Target {
  return {
    url: row.url,
    secrets: liveSecrets(decryptSecrets(secretBox, row.secrets), now),
    headers: decryptHeaders(secretBox, row.headers),
  }
}

/** Does not need the secrets, which may be undecryptable. @returns `null` for the schedule of the settings */
export function scheduleOf({ retry_seconds }: Pick<TargetRow, 'retry_seconds'>): number[] | null {
  return retry_seconds === null ? null : (JSON.parse(retry_seconds) as number[]) // written from a validated list
}
