/** The settings of passkeys: which other origins and applications may use the passkeys of the service. */
import { isOrigin, isPasskeyOrigin, list, setting } from './parse.ts'

export interface AndroidApp {
  packageName: string
  /** SHA-256 of the certificates, in upper case, with colons. */
  fingerprints: string[]
}

const noApps: AndroidApp[] = []

export const passkeySettings = {
  PASSKEY_ORIGINS: setting(
    list(isPasskeyOrigin, 'origins such as https://app.example.com or android:apk-key-hash:…'),
    [],
    'none',
    'Further origins whose passkeys are accepted, comma-separated: of applications on Android `android:apk-key-hash:` with the SHA-256 of their certificate in base64url',
  ),
  PASSKEY_RELATED_ORIGINS: setting(
    list(isRelatedOrigin, 'origins such as https://example.org'),
    [],
    'none: `/.well-known/webauthn` is 404',
    'Origins on other domains that use the passkeys of the service, comma-separated (`/.well-known/webauthn`)',
  ),
  PASSKEY_ANDROID_APPS: setting(
    androidApps,
    noApps,
    'none: `/.well-known/assetlinks.json` is 404',
    'Applications on Android that use the passkeys of the service, comma-separated: `<package>=<SHA-256 fingerprint of the certificate>` (`/.well-known/assetlinks.json`)',
  ),
  PASSKEY_APPLE_APPS: setting(
    list(isAppleApp, 'application ids such as ABCDE12345.com.example.app'),
    [],
    'none: `/.well-known/apple-app-site-association` is 404',
    'Applications of Apple systems that use the passkeys of the service, comma-separated: `<team id>.<bundle id>` (`/.well-known/apple-app-site-association`)',
  ),
} as const

/** Whether an item is a secure origin: browsers accept no other related origins. */
function isRelatedOrigin(item: string): boolean {
  return item.startsWith('https://') && isOrigin(item)
}

function isAppleApp(item: string): boolean {
  return /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$/.test(item)
}

const readApps = list(
  (item) => /^[A-Za-z]\w*(\.[A-Za-z]\w*)+=([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/.test(item),
  'applications such as com.example.app=14:6D:…:C5, with the 32 bytes of the fingerprint',
)

/**
 * A package that is named several times has several certificates, such as that of the store and that of the
 * developer.
 */
function androidApps(value: string): AndroidApp[] {
  const byPackage = new Map<string, string[]>()
  for (const item of readApps(value)) {
    const [packageName = '', fingerprint = ''] = item.split('=')
    byPackage.set(packageName, [...(byPackage.get(packageName) ?? []), fingerprint.toUpperCase()])
  }
  return [...byPackage].map(([packageName, fingerprints]) => ({ packageName, fingerprints }))
}
