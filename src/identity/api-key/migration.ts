import type { Migration } from '../../database/migration.ts'
import { hasProviders, withProviderPermissions } from '../role/provider-permissions.ts'

export const apiKeyMigrations: Migration[] = [
  {
    name: 'api-key-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE api_key (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        name ${t.text} NOT NULL,
        prefix ${t.text} NOT NULL,
        digest ${t.key} NOT NULL UNIQUE,
        permissions ${t.text} NOT NULL,
        allowed_networks ${t.text},
        expires_at ${t.timestamp},
        last_used_at ${t.timestamp},
        created_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX api_key_tenant ON api_key (tenant_id, id)',
    ],
  },
  {
    name: 'api-key-0002',
    database: 'catalogue',
    statements: () => [`UPDATE api_key SET permissions = ${withProviderPermissions} WHERE ${hasProviders}`],
  },
  {
    name: 'api-key-0003',
    database: 'catalogue',
    // An older version would give a key that acts for a user its own permissions alone.
    oldestVersion: '0.3.0',
    statements: (t) => [
      `ALTER TABLE api_key ADD COLUMN acts_for ${t.id}`,
      `ALTER TABLE api_key ADD COLUMN attributes ${t.text}`,
    ],
  },
]
