/**
 * Signing secrets: generated, masked, stored encrypted, and rotated with an overlap in which old and new both sign.
 */
import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { invalidField } from '../../core/errors.ts'

export interface StoredSecret {
  secret: string
  /** When it stops signing; `null` for the newest. */
  until: string | null
}

export const subscriptionSecretPurpose = 'subscription-secret'
const hourMs = 60 * 60 * 1000

/** Bounds the signatures on a delivery: each live secret adds one. */
export const maxLiveSecrets = 10

/** The form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Shows the last four characters of a secret that has more than four. */
export function maskSecret(secret: string): string {
  return `whsec_****${secret.length > 4 ? secret.slice(-4) : ''}`
}

/**
 * Adds a new secret, which is then the newest.
 * @param overlapHours how long the former secrets continue to sign; 0 ends them at once
 * @throws ServiceError `invalid` when too many secrets would be live
 */
export function rotate(
  secrets: readonly StoredSecret[],
  secret: string,
  { overlapHours, now }: { overlapHours: number; now: Date },
): StoredSecret[] {
  const until = new Date(now.getTime() + overlapHours * hourMs).toISOString()
  const former = secrets
    .map((stored) => ({
      ...stored,
      until: stored.until !== null && stored.until < until ? stored.until : until,
    }))
    .filter((stored) => isLive(stored, now) && stored.secret !== secret)
  if (former.length >= maxLiveSecrets) {
    throw invalidField('overlapHours', `must be 0 while ${maxLiveSecrets} secrets are live`, 'notPossible')
  }
  return [{ secret, until: null }, ...former]
}

/** @returns the secrets that have not ended, newest first */
export function liveSecrets(secrets: readonly StoredSecret[], now: Date): string[] {
  return secrets.filter((stored) => isLive(stored, now)).map(({ secret }) => secret)
}

export function encryptSecrets(secretBox: SecretBox, secrets: readonly StoredSecret[]): Uint8Array {
  return secretBox.encrypt(JSON.stringify(secrets), subscriptionSecretPurpose)
}

export function decryptSecrets(secretBox: SecretBox, encrypted: Uint8Array): StoredSecret[] {
  const text = secretBox.decrypt(encrypted, subscriptionSecretPurpose)
  return JSON.parse(text) as StoredSecret[] // written by `encryptSecrets`
}

function isLive({ until }: StoredSecret, now: Date): boolean {
  return until === null || until > now.toISOString()
}
