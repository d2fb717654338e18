import type { Feature } from '../../core/feature/feature.ts'
import { roleColumns } from './columns.ts'
import { type DefaultRole, defaultRoleName } from './default-role.ts'
import { roleAudit, roleEvents } from './event.ts'
import { roleMigrations } from './migration.ts'
import { roleRoutes } from './rest.ts'

export function roleFeature(defaultRole: DefaultRole): Feature {
  return {
    name: 'role',
    permissions: {
      'role:read': { description: 'See roles and permissions', role: 'Admin' },
      'role:write': { description: 'Create, change and delete roles', role: 'Admin' },
    },
    audited: roleAudit,
    columns: roleColumns,
    migrations: roleMigrations,
    routes: roleRoutes,
    events: roleEvents,
    tenantSettings: { [defaultRoleName]: defaultRole },
  }
}
