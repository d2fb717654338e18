import type { Feature } from '../../core/feature/feature.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { clientSecretPurpose } from './configuration.ts'
import { singleSignOnAudit } from './event.ts'
import { singleSignOnMigrations } from './migration.ts'
import { singleSignOnRoutes } from './rest.ts'
import type { SingleSignOnParts } from './sign-in.ts'
import { statePurpose } from './state.ts'

export function singleSignOnFeature(parts: SingleSignOnParts, guard: AddressGuard): Feature {
  return {
    name: 'single-sign-on',
    permissions: {
      'sso:read': { description: 'See single sign-on and domains', role: 'Admin' },
      'sso:write': { description: 'Set single sign-on, and prove domains', role: 'Admin' },
    },
    audited: singleSignOnAudit,
    migrations: singleSignOnMigrations,
    routes: singleSignOnRoutes(parts, guard),
    encrypted: [
      {
        purpose: clientSecretPurpose,
        database: 'catalogue',
        table: 'identity_provider',
        column: 'client_secret',
        key: ['tenant_id'],
      },
    ],
    digests: [statePurpose],
  }
}
