/** A subscription as deliveries need it, with its secrets decrypted. */
import type { Selectable } from 'kysely'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import type { SubscriptionTable } from '../../database/webhook-tables.ts'
import { decryptHeaders, type OwnHeaders } from './header.ts'
import { decryptSecrets, liveSecrets } from './secret.ts'

export interface Target {
  id: string
  tenantId: string
  url: string
  /** Newest first; all of them sign now. */
  secrets: string[]
  /** The subscriber's own; their values may be secrets. */
  headers: OwnHeaders
  /** Its own schedule; `null` for that of the settings. */
  retrySeconds: number[] | null
  isActive: boolean
  /** By its owner: its deliveries wait. Neither active nor paused: deactivated by the service. */
  isPaused: boolean
}

export type TargetRow = Pick<
  Selectable<SubscriptionTable>,
  'id' | 'tenant_id' | 'url' | 'secrets' | 'headers' | 'retry_seconds' | 'is_active' | 'deactivated_at'
>

/** @throws CannotDecrypt */
export function targetOf(row: TargetRow, secretBox: SecretBox, now: Date): Target {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    url: row.url,
    secrets: liveSecrets(decryptSecrets(secretBox, row.secrets), now),
    headers: decryptHeaders(secretBox, row.headers),
    retrySeconds: ownSchedule(row),
    isActive: row.is_active,
    isPaused: !row.is_active && row.deactivated_at === null,
  }
}

/** Readable although the secrets may not be. */
export function ownSchedule({ retry_seconds }: Pick<TargetRow, 'retry_seconds'>): number[] | null {
  return retry_seconds === null ? null : (JSON.parse(retry_seconds) as number[]) // as stored
}
