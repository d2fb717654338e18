import type { Migration } from '../../database/migration.ts'

export const portalMigrations: Migration[] = [
  {
    name: 'portal-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE portal_session (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        digest ${t.key} NOT NULL UNIQUE,
        customer ${t.text},
        events ${t.text},
        is_read_only ${t.boolean} NOT NULL,
        origins ${t.text} NOT NULL,
        maker_kind ${t.text} NOT NULL,
        maker_id ${t.id} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        expires_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX portal_session_tenant ON portal_session (tenant_id, expires_at)',
      'CREATE INDEX portal_session_expiry ON portal_session (expires_at)',
    ],
  },
]
