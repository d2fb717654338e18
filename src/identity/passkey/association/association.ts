/** Applications, and sites on other domains, that may use the passkeys of the service. */
import type { AndroidApp } from '../../../core/settings/passkey-settings.ts'

export interface Associations {
  androidApps: readonly AndroidApp[]
  /** `<team id>.<bundle id>` */
  appleApps: readonly string[]
  relatedOrigins: readonly string[]
}

/** The origins of the associated applications and sites, as WebAuthn names them. */
export function associatedOrigins({ androidApps, relatedOrigins }: Associations): string[] {
  const hashes = androidApps.flatMap(({ fingerprints }) => fingerprints).map(hashOf)
  return [...relatedOrigins, ...hashes.map((hash) => `android:apk-key-hash:${hash}`)]
}

function hashOf(fingerprint: string): string {
  return Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')
}
