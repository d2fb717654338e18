/** The stored secrets of a provider. */
import type { SecretBox } from '../../../core/encryption/secret-box.ts'
import type { StoredSecret } from '../../subscriptions/secret.ts'

/** The current secret, and during a rotation the former one. */
export const maxSecrets = 2
export const incomingSecretPurpose = 'incoming-secret'

export function encryptIncoming(secretBox: SecretBox, secrets: readonly StoredSecret[]): Uint8Array {
  return secretBox.encrypt(JSON.stringify(secrets), incomingSecretPurpose)
}

export function decryptIncoming(secretBox: SecretBox, encrypted: Uint8Array): StoredSecret[] {
  const text = secretBox.decrypt(encrypted, incomingSecretPurpose)
  return JSON.parse(text) as StoredSecret[] // written by `encryptIncoming`
}

/** Shows the last four characters of a secret that has more than eight. */
export function maskIncomingSecret(secret: string): string {
  return `****${secret.length > 8 ? secret.slice(-4) : ''}`
}
