/** Secrets of providers at rest: the newest, and for the time of a rotation the one before it. */
import type { SecretBox } from '../../../core/encryption/secret-box.ts'
import type { StoredSecret } from '../../subscriptions/secret.ts'

export const incomingSecretPurpose = 'incoming-secret'

/** More than two would be accepted longer than anybody remembers. */
export const mostSecrets = 2

/** The last four characters are shown, unless they are half of it or more. */
export function maskIncomingSecret(secret: string): string {
  return `****${secret.length > 8 ? secret.slice(-4) : ''}`
}

export function sealIncoming(secretBox: SecretBox, secrets: readonly StoredSecret[]): Uint8Array {
  return secretBox.encrypt(JSON.stringify(secrets), incomingSecretPurpose)
}

export function openIncoming(secretBox: SecretBox, sealed: Uint8Array): StoredSecret[] {
  return JSON.parse(secretBox.decrypt(sealed, incomingSecretPurpose)) as StoredSecret[] // what `sealIncoming` has sealed
}
