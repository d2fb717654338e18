import type { Migration } from '../database/migration.ts'

export const mailMigrations: Migration[] = [
  {
    name: 'mail-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE mail (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        template ${t.key} NOT NULL,
        recipient ${t.text} NOT NULL,
        recipient_key ${t.key} NOT NULL,
        locale ${t.text},
        content ${t.bytes},
        is_limited ${t.boolean} NOT NULL,
        status ${t.key} NOT NULL,
        attempts ${t.integer} NOT NULL,
        attempts_before ${t.integer} NOT NULL,
        next_at ${t.timestamp},
        lease ${t.text},
        error ${t.text},
        created_at ${t.timestamp} NOT NULL,
        expires_at ${t.timestamp},
        sent_at ${t.timestamp}
      )`,
      'CREATE INDEX mail_due ON mail (tenant_id, next_at, id) WHERE next_at IS NOT NULL',
      'CREATE INDEX mail_tenant ON mail (tenant_id, id)',
      'CREATE INDEX mail_status ON mail (tenant_id, status, id)',
      'CREATE INDEX mail_template ON mail (tenant_id, template, id)',
      'CREATE INDEX mail_recipient ON mail (tenant_id, recipient_key, id)',
      'CREATE INDEX mail_limited_address ON mail (recipient_key, created_at) WHERE is_limited',
      'CREATE INDEX mail_limited_tenant ON mail (tenant_id, created_at) WHERE is_limited',
      "CREATE INDEX mail_unsent ON mail (status) WHERE status <> 'SENT'",
      'CREATE INDEX mail_age ON mail (created_at) WHERE next_at IS NULL',
      'CREATE INDEX mail_expiry ON mail (expires_at) WHERE content IS NOT NULL AND expires_at IS NOT NULL',
    ],
  },
  {
    name: 'mail-0002',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE mail ADD COLUMN mailbox_key ${t.key}`,
      'DROP INDEX mail_limited_address',
      'DROP INDEX mail_limited_tenant',
      'CREATE INDEX mail_limited_mailbox ON mail (mailbox_key, template, created_at) WHERE is_limited',
      'CREATE INDEX mail_limited_template ON mail (tenant_id, template, created_at) WHERE is_limited',
    ],
  },
  {
    name: 'mail-0003',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE mail ADD COLUMN network ${t.key}`,
      'CREATE INDEX mail_limited_network ON mail (network, created_at) WHERE is_limited',
      'CREATE INDEX mail_limited ON mail (created_at) WHERE is_limited',
    ],
  },
  {
    name: 'mail-0004',
    database: 'catalogue',
    oldestVersion: '0.2.0',
    statements: () => ['CREATE INDEX mail_error ON mail (tenant_id, id) WHERE error IS NOT NULL'],
  },
]
