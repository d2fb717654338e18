import type { Migration } from '../../database/migration.ts'
import { hasProviders, withProviderPermissions } from './provider-permissions.ts'

export const roleMigrations: Migration[] = [
  {
    name: 'role-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE role (
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        name_key ${t.key} NOT NULL,
        name ${t.text} NOT NULL,
        description ${t.text},
        permissions ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_id, name_key)
      ) ${t.clustered}`,
    ],
  },
  {
    name: 'role-0002',
    database: 'catalogue',
    statements: () => [
      `UPDATE role SET permissions = ${withProviderPermissions}, version = version + 1 WHERE ${hasProviders}`,
    ],
  },
]
