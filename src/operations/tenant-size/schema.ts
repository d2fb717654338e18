/** The schemas of the estimated size of a tenant. */
import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../core/schema/schema.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1024] })

const size = {
  rows: Count('The rows'),
  bytes: Count('The values of the rows, without indexes and free space'),
}

const isComplete = Type.Boolean({
  description: 'Whether every row was counted. If not, the tenant has at least so much',
})

/** The size within a reply that describes the whole tenant. */
export const SizeEstimate = Type.Object(
  { ...size, isComplete, measuredAt: { ...Timestamp, description: 'When the rows were counted' } },
  { description: 'The size of its rows, by estimate' },
)

export type SizeEstimate = Static<typeof SizeEstimate>

export const TenantSize = Type.Object(
  {
    ...SizeEstimate.properties,
    databaseBytes: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'The size of its own database; `null` in the shared one',
        examples: [1048576],
      }),
    ),
    tables: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The table', examples: ['product'] }),
        ...size,
        isComplete,
      }),
      { description: 'The tables with rows of the tenant, the largest first' },
    ),
  },
  { $id: 'TenantSize', description: 'How much a tenant keeps, by estimate.' },
)

export type TenantSize = Static<typeof TenantSize>
export type TableSize = TenantSize['tables'][number]
