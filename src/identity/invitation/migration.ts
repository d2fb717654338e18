import type { Migration } from '../../database/migration.ts'

export const invitationMigrations: Migration[] = [
  {
    name: 'invitation-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE invitation (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        email ${t.text} NOT NULL,
        email_key ${t.key} NOT NULL,
        roles ${t.text} NOT NULL,
        invited_by ${t.id} NOT NULL,
        invited_by_name ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        expires_at ${t.timestamp} NOT NULL
      )`,
      'CREATE UNIQUE INDEX invitation_email ON invitation (tenant_id, email_key)',
    ],
  },
  {
    name: 'invitation-0002',
    database: 'catalogue',
    oldestVersion: '0.3.0',
    statements: (t) => [`ALTER TABLE invitation ADD COLUMN attributes ${t.text}`],
  },
]
