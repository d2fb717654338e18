import type { Migration } from '../../database/migration.ts'

export const sessionMigrations: Migration[] = [
  {
    name: 'session-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE session (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL,
        account_id ${t.id} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        expires_at ${t.timestamp} NOT NULL,
        revoked_at ${t.timestamp},
        client_address ${t.text} NOT NULL
      )`,
      'CREATE INDEX session_account ON session (account_id, created_at)',
      'CREATE INDEX session_expiry ON session (expires_at)',
      'CREATE INDEX session_revoked ON session (revoked_at) WHERE revoked_at IS NOT NULL',
      `CREATE TABLE refresh_token (
        hash ${t.key} PRIMARY KEY,
        session_id ${t.id} NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        created_at ${t.timestamp} NOT NULL,
        rotated_at ${t.timestamp}
      )`,
      'CREATE INDEX refresh_token_session ON refresh_token (session_id)',
      // The columns that rate-limiter-flexible expects on PostgreSQL.
      `CREATE TABLE rate_limit (
        key ${t.key} PRIMARY KEY,
        points ${t.integer} NOT NULL DEFAULT 0,
        expire ${t.integer},
        hits ${t.text}
      )`,
    ],
  },
  {
    name: 'session-0002',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE session ADD COLUMN methods ${t.text} NOT NULL DEFAULT 'pwd'`,
      `ALTER TABLE session ADD COLUMN authenticated_at ${t.timestamp}`,
      `ALTER TABLE session ADD COLUMN user_agent ${t.text}`,
      `ALTER TABLE session ADD COLUMN last_used_at ${t.timestamp}`,
      'UPDATE session SET authenticated_at = created_at, last_used_at = created_at',
    ],
  },
]
