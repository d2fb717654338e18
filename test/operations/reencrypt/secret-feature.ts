/** A feature of an application with a secret of its own, unknown to the command line. */
import type { Context } from '../../../src/core/context.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { inTransaction } from '../../../src/core/transaction.ts'

export const vaultFeature: Feature = {
  name: 'vault',
  migrations: [
    {
      name: 'vault-0001',
      database: 'tenant',
      statements: (t) => [
        `CREATE TABLE vault (
          tenant_id ${t.key} NOT NULL,
          id ${t.text} NOT NULL,
          secret ${t.bytes} NOT NULL,
          PRIMARY KEY (tenant_id, id)
        )`,
      ],
    },
  ],
  encrypted: [
    { purpose: 'vault', database: 'tenant', table: 'vault', column: 'secret', key: ['tenant_id', 'id'] },
  ],
  digests: ['vault'],
}

export async function keep(context: Context, id: string, secret: string): Promise<void> {
  const mark = context.data.executor.dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const sealed = context.shared.secretBox.encrypt(secret, 'vault')
  const insert = `INSERT INTO vault (tenant_id, id, secret) VALUES ('default', ${mark[0]}, ${mark[1]})`
  await inTransaction(context, (inside) => inside.data.executor.run(insert, [id, sealed], false))
}

export async function kept(context: Context): Promise<string[]> {
  const { rows } = await context.data.executor.run('SELECT secret FROM vault ORDER BY id', [], false)
  // biome-ignore lint/suspicious/noExplicitAny: bytes, in both databases
  return rows.map(({ secret }: any) => context.shared.secretBox.decrypt(secret, 'vault'))
}
