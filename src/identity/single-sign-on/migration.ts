import type { Migration } from '../../database/migration.ts'

export const singleSignOnMigrations: Migration[] = [
  {
    name: 'single-sign-on-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE identity_provider (
        tenant_id ${t.key} PRIMARY KEY REFERENCES tenant (id),
        issuer ${t.text} NOT NULL,
        client_id ${t.text} NOT NULL,
        client_secret ${t.bytes} NOT NULL,
        options ${t.text} NOT NULL,
        is_enabled ${t.boolean} NOT NULL,
        is_required ${t.boolean} NOT NULL,
        break_glass_account_id ${t.id},
        created_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL
      )`,
      `CREATE TABLE proven_domain (
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        domain ${t.key} NOT NULL,
        proof ${t.text} NOT NULL,
        verified_at ${t.timestamp},
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, domain)
      )`,
      `CREATE TABLE provider_identity (
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        issuer ${t.key} NOT NULL,
        subject ${t.key} NOT NULL,
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        created_at ${t.timestamp} NOT NULL,
        last_used_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, issuer, subject)
      )`,
      'CREATE INDEX provider_identity_account ON provider_identity (account_id)',
    ],
  },
  {
    name: 'single-sign-on-0002',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE provider_session (
        session_id ${t.id} PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
        tenant_id ${t.key} NOT NULL,
        issuer ${t.key} NOT NULL,
        subject ${t.key} NOT NULL,
        provider_sid ${t.key},
        id_token ${t.bytes} NOT NULL
      )`,
      'CREATE INDEX provider_session_subject ON provider_session (tenant_id, issuer, subject)',
      'CREATE INDEX provider_session_sid ON provider_session (tenant_id, issuer, provider_sid)',
    ],
  },
  {
    name: 'single-sign-on-0003',
    database: 'catalogue',
    oldestVersion: '0.2.0',
    statements: (t) => [
      `CREATE TABLE provider_client_key (
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        id ${t.key} NOT NULL,
        public_key ${t.text} NOT NULL,
        private_key ${t.bytes} NOT NULL,
        is_signing ${t.boolean} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`,
    ],
  },
]
