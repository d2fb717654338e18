import type { Feature } from '../../core/feature/feature.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { clientKeyRoutes } from './client-key/rest.ts'
import { singleSignOnColumns } from './columns.ts'
import { singleSignOnAudit } from './event.ts'
import { singleSignOnMails } from './mail.ts'
import { singleSignOnMigrations } from './migration.ts'
import { clientKeyPurpose, clientSecretPurpose, idTokenPurpose } from './purpose.ts'
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
    mails: singleSignOnMails,
    columns: singleSignOnColumns,
    migrations: singleSignOnMigrations,
    routes: [...singleSignOnRoutes(parts, guard), ...clientKeyRoutes],
    encrypted: [
      {
        purpose: clientSecretPurpose,
        database: 'catalogue',
        table: 'identity_provider',
        column: 'client_secret',
        key: ['tenant_id'],
      },
      {
        purpose: clientKeyPurpose,
        database: 'catalogue',
        table: 'provider_client_key',
        column: 'private_key',
        key: ['tenant_id', 'id'],
      },
      {
        purpose: idTokenPurpose,
        database: 'catalogue',
        table: 'provider_session',
        column: 'id_token',
        key: ['session_id'],
      },
    ],
    digests: [statePurpose],
  }
}
