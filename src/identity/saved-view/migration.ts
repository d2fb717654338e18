import type { Migration } from '../../database/migration.ts'

export const savedViewMigrations: Migration[] = [
  {
    name: 'savedView-0001',
    database: 'catalogue',
    oldestVersion: '0.3.0',
    statements: (t) => [
      `CREATE TABLE saved_view (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name ${t.text} NOT NULL,
        entity ${t.key} NOT NULL,
        content ${t.text} NOT NULL,
        shared_with ${t.key} NOT NULL,
        roles ${t.text} NOT NULL,
        default_for ${t.text} NOT NULL,
        version ${t.integer} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX saved_view_account ON saved_view (account_id)',
      'CREATE INDEX saved_view_tenant ON saved_view (tenant_id, entity)',
    ],
  },
]
