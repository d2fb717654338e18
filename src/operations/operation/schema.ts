/** The schemas of long operations, such as backups and moves, and of requests for them. */
import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { connectionString } from '../../tenancy/schema.ts'

const operationKinds = ['backup', 'export', 'erase', 'move', 'abandonMove'] as const
export type OperationKind = (typeof operationKinds)[number]

const operationStatuses = ['WAITING', 'RUNNING', 'DONE', 'FAILED'] as const
export type OperationStatus = (typeof operationStatuses)[number]

export const RequestedOperation = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the operation' },
    kind: StringEnum(operationKinds, {
      description:
        '`backup` concerns the installation, every other kind a tenant. `abandonMove` ends a move before its switch',
      examples: ['backup'],
    }),
    tenantId: Nullable(
      Type.String({ description: 'The tenant; `null` for the installation', examples: ['acme'] }),
    ),
    status: StringEnum(operationStatuses, {
      description:
        'WAITING: for its first attempt, or after one that failed. RUNNING: in progress. DONE and FAILED are final',
      examples: ['RUNNING'],
    }),
    phase: Nullable(Type.String({ description: 'The phase that began last', examples: ['copying'] })),
    progress: Nullable(
      Type.Object(
        {
          copiedRows: Type.Integer({
            minimum: 0,
            description: 'Rows that the new database has',
            examples: [1200],
          }),
          totalRows: Type.Integer({
            minimum: 0,
            description: 'Rows that the tenant had when copying began',
            examples: [4000],
          }),
        },
        {
          description:
            'Of a move, how many rows are copied; `null` before, and where counting the rows takes too long',
        },
      ),
    ),
    host: Nullable(
      Type.String({ description: 'The machine that ran the last attempt', examples: ['app-1'] }),
    ),
    result: Type.Unsafe<Record<string, unknown> | null>({
      description: 'What the operation has made; `null` until it is done',
      anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
      examples: [{ path: '/var/lib/tenantry/backups/2026-11-25T15-40-00.000Z', bytes: 1048576 }],
    }),
    error: Nullable(
      Type.String({ description: 'Why the last attempt failed', examples: ['No space left.'] }),
    ),
    requestedBy: Type.String({ description: 'The user name of who requested it', examples: ['admin'] }),
    createdAt: Timestamp,
    startedAt: Nullable({ ...Timestamp, description: 'When the last attempt began' }),
    finishedAt: Nullable({ ...Timestamp, description: 'When the operation ended' }),
  },
  { $id: 'Operation', description: 'A long operation on a tenant or on the installation.' },
)

export type RequestedOperation = Static<typeof RequestedOperation>

export const EraseInput = Type.Object(
  {
    confirm: Type.String({
      maxLength: 64,
      description: 'The id of the tenant again: an erasure cannot be undone',
      examples: ['acme'],
    }),
  },
  { $id: 'EraseInput', description: 'The confirmation of an erasure.' },
)

export const MoveInput = Type.Object(
  {
    connectionString: {
      ...connectionString,
      description:
        'Where to: `postgres://…`, `sqlite:name.db` or `Host=…;Database=…;Username=…;Password=…`; `null` for the shared database',
    },
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Removes rows of the tenant that the database already has',
      }),
    ),
    removeAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999,
        default: 60,
        description: 'How long rows stay in the former database, for requests that began there',
      }),
    ),
  },
  { $id: 'MoveInput', description: 'The database to which a tenant is moved.' },
)

export type MoveInput = Static<typeof MoveInput>
