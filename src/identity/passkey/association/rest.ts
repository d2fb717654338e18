/** Well-known files by which systems and browsers find out which applications and sites may use the passkeys. */
import { Type } from 'typebox'
import { type Route, route } from '../../../core/feature/route.ts'
import type { AndroidApp } from '../../../core/settings/passkey-settings.ts'
import type { Associations } from './association.ts'

const texts = (description: string, example: string) =>
  Type.Array(Type.String(), { description, examples: [[example]] })

const AssetLinks = Type.Array(
  Type.Object({
    relation: texts('What the application may do', 'delegate_permission/common.get_login_creds'),
    target: Type.Object(
      {
        namespace: Type.String({ description: 'Always `android_app`', examples: ['android_app'] }),
        package_name: Type.String({ description: 'Of the application', examples: ['com.example.app'] }),
        sha256_cert_fingerprints: texts('Of its certificates', '14:6D:…:C5'),
      },
      { description: 'The application' },
    ),
  }),
)

const AppleAssociation = Type.Object({
  webcredentials: Type.Object(
    { apps: texts('Ids of applications', 'ABCDE12345.com.example.app') },
    { description: 'Who uses passkeys of the host' },
  ),
})

const RelatedOrigins = Type.Object({
  origins: texts('Origins that use passkeys of the host', 'https://example.org'),
})

const common = {
  method: 'GET',
  tag: 'Passkeys',
  access: 'anonymous',
  database: 'none',
} as const

/** A file without content has no route, because another program may serve it. */
export function associationRoutes({ androidApps, appleApps, relatedOrigins }: Associations): Route[] {
  const links = androidApps.map(assetLink)
  return [
    ...(links.length === 0 ? [] : [assetLinksRoute(links)]),
    ...(appleApps.length === 0 ? [] : [appleRoute([...appleApps])]),
    ...(relatedOrigins.length === 0 ? [] : [relatedOriginsRoute([...relatedOrigins])]),
  ]
}

function assetLinksRoute(links: ReturnType<typeof assetLink>[]): Route {
  return route({
    ...common,
    path: '/.well-known/assetlinks.json',
    summary: 'Get the applications on Android that use passkeys of the service',
    name: 'getAssetLinks',
    description: 'Digital Asset Links, for Android.',
    reply: AssetLinks,
    handle: async () => links,
  })
}

function appleRoute(apps: string[]): Route {
  return route({
    ...common,
    path: '/.well-known/apple-app-site-association',
    summary: 'Get the applications of Apple systems that use passkeys of the service',
    name: 'getAppleAppSiteAssociation',
    description: 'Associated domains, for Apple systems.',
    reply: AppleAssociation,
    handle: async () => ({ webcredentials: { apps } }),
  })
}

function relatedOriginsRoute(origins: string[]): Route {
  return route({
    ...common,
    path: '/.well-known/webauthn',
    summary: 'Get the origins that use passkeys of the service',
    name: 'getRelatedOrigins',
    description: 'Related origin requests (WebAuthn Level 3, section 5.11), for browsers.',
    reply: RelatedOrigins,
    handle: async () => ({ origins }),
  })
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
