import type { Feature } from '../../core/feature/feature.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { totpPurpose } from './code.ts'
import { secondFactorColumns } from './columns.ts'
import { secondFactorAudit } from './event.ts'
import { secondFactorHome } from './home.ts'
import { secondFactorMails } from './mail.ts'
import { secondFactorMigrations } from './migration.ts'
import { requireSecondFactor } from './requirement.ts'
import { secondFactorRoutes } from './rest.ts'

export function secondFactorFeature(tokens: AccessTokens): Feature {
  return {
    name: 'second-factor',
    audited: secondFactorAudit,
    columns: secondFactorColumns,
    migrations: secondFactorMigrations,
    routes: secondFactorRoutes(tokens),
    home: secondFactorHome,
    mails: secondFactorMails,
    tenantSettings: { requireSecondFactor },
    encrypted: [
      {
        purpose: totpPurpose,
        database: 'catalogue',
        table: 'totp',
        column: 'secret',
        key: ['account_id', 'state'],
      },
    ],
  }
}
