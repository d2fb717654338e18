/** The body and the reply of changes of many rows. */
import { type Static, type TObject, Type } from 'typebox'
import { errorKinds } from '../../core/errors.ts'
import { codedError, codedFault } from '../../core/schema/coded-fault.ts'
import { Named } from '../../core/schema/record.ts'
import { StringEnum } from '../../core/schema/schema.ts'
import type { Names } from '../definition.ts'

/** The maximum number of rows in one request. */
export const maxRows = 1000

const maxParameters = 100
const maxMembers = 200
const value = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()])
const id = { type: 'string', format: 'uuid', examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'] } as const

const dryRun = Type.Boolean({
  description:
    'Whether the request is tried only: the reply reports every row, and nothing is stored, published or audited',
  examples: [false],
})

function newRows(labels: string) {
  // Each is validated by itself, so that the others are created.
  const row = Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: maxMembers,
    additionalProperties: true,
  })
  return Type.Array(row, {
    minItems: 1,
    maxItems: maxRows,
    description: `The new ${labels}, for \`create\`: each as the body of \`POST\``,
    examples: [[{}]],
  })
}

/** @param verbs `create`, `change`, `delete`, `restore`, and names of actions */
export function bulkInput({ type, labels }: Names, verbs: readonly string[]) {
  return Type.Object(
    {
      ids: Type.Optional(
        Type.Array(Type.Unsafe<string>(id), {
          minItems: 1,
          maxItems: maxRows,
          description: `The ${labels}; either these or \`query\``,
        }),
      ),
      rows: Type.Optional(newRows(labels)),
      dryRun: Type.Optional(dryRun),
      query: Type.Optional(
        Named(
          Type.Union([value, Type.Array(value, { maxItems: 100 })]),
          { max: 100 },
          {
            maxProperties: maxParameters,
            description: `The filters of the list by their names, and \`search\`: all ${labels} that match, the first ${maxRows} of them`,
            examples: [{ 'createdAt[lt]': '2026-01-31T09:30:00.000Z' }],
          },
        ),
      ),
      count: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: `How many ${labels} the caller has seen to match \`query\`. If there are more or fewer now, by over a tenth, the request is refused with 409`,
          examples: [41],
        }),
      ),
      versions: Type.Optional(
        Named(
          Type.String({ maxLength: 200 }),
          { max: 36 },
          {
            maxProperties: maxRows,
            description: 'An `ETag` for each id, as in `If-Match`: a row that has another one stays as it is',
            examples: [{ [id.examples[0]]: '"3"' }],
          },
        ),
      ),
      do: StringEnum(verbs, {
        description:
          'What to do with each row: `create` for new ones, `change`, `delete`, `restore` for deleted rows of the trash, or an action',
        examples: [verbs[0]],
      }),
      input: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          maxProperties: maxMembers,
          additionalProperties: true, // the schema of `do` decides
          description: 'The members to change, as for `PATCH`, or the input of the action',
          examples: [{}],
        }),
      ),
    },
    {
      $id: `Bulk${type}Input`,
      additionalProperties: false,
      description: `What to do with which ${labels}.`,
      examples: [verbs[0] === 'create' ? { rows: [{}], do: 'create' } : { ids: id.examples, do: verbs[0] }],
    },
  )
}

export type BulkInput = Static<ReturnType<typeof bulkInput>>

const stale = errorKinds.preconditionFailed.text

const RowProblem = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`', examples: ['about:blank'] }),
    title: Type.String({ description: 'The kind of the error, as a text', examples: [stale] }),
    status: Type.Integer({
      description: 'The status that a request for the row alone would have got',
      examples: [412],
    }),
    ...codedError,
    detail: Type.String({ description: 'What is wrong', examples: [stale] }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({
            description: 'The member of `input`, or of the new row',
            examples: ['#/price'],
          }),
          detail: Type.String({ description: 'What is wrong with it', examples: ['must be >= 0'] }),
          ...codedFault,
        }),
        { description: 'The faults of members' },
      ),
    ),
  },
  { description: 'Why the row failed: the error of a request for the row alone, as in RFC 9457' },
)

const RowReport = Type.Object({
  id: Type.Optional(
    Type.Unsafe<string>({
      ...id,
      description: 'The id of the row; absent for one that has not been created',
    }),
  ),
  status: StringEnum(['done', 'failed'], {
    description: 'Whether it was done; a row that failed stays as it was',
    examples: ['done'],
  }),
  etag: Type.Optional(
    Type.String({
      description: 'The tag of the row as it is now, if the caller may read it',
      examples: ['"4"'],
    }),
  ),
  error: Type.Optional(RowProblem),
})

export const BulkReport: TObject = Type.Object(
  {
    done: Type.Integer({ description: 'The number of rows that were done', examples: [41] }),
    failed: Type.Integer({ description: 'The number of rows that stay as they were', examples: [0] }),
    remaining: Type.Integer({
      description: 'The number of rows that match the query beyond the first 1000: repeat the request',
      examples: [0],
    }),
    rows: Type.Array(RowReport, { description: 'Each row, in the order of the request', maxItems: maxRows }),
  },
  { $id: 'BulkReport', description: 'What became of each row of a request for many.' },
)

export type RowReport = Static<typeof RowReport>
