/** Files in which the host of the passkeys says which applications and origins may use them. */
import { Type } from 'typebox'
import { ServiceError } from '../../../core/errors.ts'
import { type Route, route } from '../../../core/feature/route.ts'
import type { AndroidApp } from '../../../core/settings/passkey-settings.ts'
import type { Associations } from './association.ts'

const AssetLinks = Type.Array(
  Type.Object({
    relation: Type.Array(Type.String(), { examples: [['delegate_permission/common.get_login_creds']] }),
    target: Type.Object({
      namespace: Type.String({ examples: ['android_app'] }),
      package_name: Type.String({ examples: ['com.example.app'] }),
      sha256_cert_fingerprints: Type.Array(Type.String(), { examples: [['14:6D:…:C5']] }),
    }),
  }),
)

const AppleAssociation = Type.Object({
  webcredentials: Type.Object({
    apps: Type.Array(Type.String(), { examples: [['ABCDE12345.com.example.app']] }),
  }),
})

const RelatedOrigins = Type.Object({
  origins: Type.Array(Type.String(), { examples: [['https://example.org']] }),
})

const common = {
  method: 'GET',
  tag: 'Passkeys',
  access: 'anonymous',
  database: 'none',
  status: 200,
  errors: ['notFound'],
} as const

export function associationRoutes({ androidApps, appleApps, relatedOrigins }: Associations): Route[] {
  return [
    route({
      ...common,
      path: '/.well-known/assetlinks.json',
      summary: 'Get the applications on Android that use passkeys of the service',
      name: 'getAssetLinks',
      description: 'Digital Asset Links, for Android. 404 without PASSKEY_ANDROID_APPS.',
      reply: AssetLinks,
      handle: async () => unlessEmpty(androidApps).map(assetLink),
    }),
    route({
      ...common,
      path: '/.well-known/apple-app-site-association',
      summary: 'Get the applications of Apple systems that use passkeys of the service',
      name: 'getAppleAppSiteAssociation',
      description: 'Associated domains, for Apple systems. 404 without PASSKEY_APPLE_APPS.',
      reply: AppleAssociation,
      handle: async () => ({ webcredentials: { apps: unlessEmpty(appleApps) } }),
    }),
    route({
      ...common,
      path: '/.well-known/webauthn',
      summary: 'Get the origins that use passkeys of the service',
      name: 'getRelatedOrigins',
      description:
        'Related origin requests (WebAuthn Level 3, section 5.11), for browsers. 404 without PASSKEY_RELATED_ORIGINS.',
      reply: RelatedOrigins,
      handle: async () => ({ origins: unlessEmpty(relatedOrigins) }),
    }),
  ]
}

/** Android asks for both relations before an application may use passkeys. */
function assetLink({ packageName, fingerprints }: AndroidApp) {
  return {
    relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  }
}

function unlessEmpty<T>(items: readonly T[]): T[] {
  if (items.length === 0) throw new ServiceError('notFound')
  return [...items]
}
