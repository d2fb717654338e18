import type { Dialect } from '../../database/executor.ts'
import type { ColumnTypes, Migration } from '../../database/migration.ts'
import { sqliteStatistics } from '../../database/sqlite/statistics.ts'

export const auditMigrations: Migration[] = [
  {
    name: 'audit-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE audit (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL,
        actor_id ${t.id},
        actor_name ${t.text},
        action ${t.key} NOT NULL,
        subject_type ${t.text} NOT NULL,
        subject_id ${t.text},
        detail ${t.text} NOT NULL,
        client_address ${t.text},
        request_id ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX audit_tenant ON audit (tenant_id, id)',
    ],
  },
  {
    name: 'audit-0002',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE tenant_audit (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        actor_id ${t.id},
        actor_name ${t.text},
        action ${t.key} NOT NULL,
        subject_type ${t.text} NOT NULL,
        subject_id ${t.text},
        detail ${t.text} NOT NULL,
        client_address ${t.text},
        request_id ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
  { name: 'audit-0003', database: 'catalogue', statements: (_, dialect) => filterIndexes('audit', dialect) },
  {
    name: 'audit-0004',
    database: 'tenant',
    statements: (_, dialect) => filterIndexes('tenant_audit', dialect),
  },
  { name: 'audit-0005', database: 'catalogue', statements: (t) => impersonatorColumns('audit', t) },
  { name: 'audit-0006', database: 'tenant', statements: (t) => impersonatorColumns('tenant_audit', t) },
  { name: 'audit-0007', database: 'catalogue', statements: (_, dialect) => indexesOfAll(dialect) },
]

function impersonatorColumns(table: string, t: ColumnTypes): string[] {
  return [
    `ALTER TABLE ${table} ADD COLUMN impersonator_id ${t.id}`,
    `ALTER TABLE ${table} ADD COLUMN impersonator_name ${t.text}`,
  ]
}

/** The filters of the host, which reads the records of all tenants together. */
function indexesOfAll(dialect: Dialect): string[] {
  return [
    'CREATE INDEX audit_all_action ON audit (action, id)',
    'CREATE INDEX audit_all_actor ON audit (actor_id, id) WHERE actor_id IS NOT NULL',
    'CREATE INDEX audit_all_subject ON audit (subject_id, id) WHERE subject_id IS NOT NULL',
    ...(dialect === 'sqlite'
      ? sqliteStatistics('audit', {
          ...figuresOf('audit'),
          audit_all_action: '1000000 100000 1',
          audit_all_actor: '1000000 1001 1',
          audit_all_subject: '1000000 11 1',
        })
      : []),
  ]
}

/** Indexes for each filter, and for actor and action together. Other combinations use the index of the subject. */
function filterIndexes(table: string, dialect: Dialect): string[] {
  return [
    `CREATE INDEX ${table}_action ON ${table} (tenant_id, action, id)`,
    `CREATE INDEX ${table}_actor ON ${table} (tenant_id, actor_id, id) WHERE actor_id IS NOT NULL`,
    `CREATE INDEX ${table}_actor_action ON ${table} (tenant_id, actor_id, action, id) WHERE actor_id IS NOT NULL`,
    `CREATE INDEX ${table}_subject ON ${table} (tenant_id, subject_id, id) WHERE subject_id IS NOT NULL`,
    ...(dialect === 'sqlite' ? sqliteStatistics(table, figuresOf(table)) : []),
  ]
}

/** @returns the figures for `sqliteStatistics` of the indexes that both tables have */
function figuresOf(table: string): Record<string, string> {
  return {
    [table === 'audit' ? 'audit_tenant' : table]: '1000000 100000 1',
    [`${table}_action`]: '1000000 100000 10000 1',
    [`${table}_actor`]: '1000000 100000 1000 1',
    [`${table}_actor_action`]: '1000000 100000 1000 100 1',
    [`${table}_subject`]: '1000000 100000 10 1',
  }
}
