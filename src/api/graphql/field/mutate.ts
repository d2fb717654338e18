/** Runs the field of a mutation in one transaction. */
import type { TSchema } from 'typebox'
import type { Context } from '../../../core/context.ts'
import type { MutationField, ObjectMutation, RowMutation } from '../../../core/feature/field.ts'
import { inputReader, type Reader } from '../../../core/schema/input.ts'
import { inTransaction } from '../../../core/transaction.ts'
import type { ReadBudget } from '../../../database/read/measure.ts'
import { requireReadable } from '../../../database/read/readable.ts'
import type { Selection } from '../../../database/read/selection.ts'
import type { Variables } from '../document/variables.ts'
import type { Json } from '../json-writer.ts'
import { readRow } from './read.ts'
import { jsonOf } from './row.ts'

/** Runs the verb and reads the result's row in one transaction: a row that is too large rolls it back. */
export async function mutate(
  context: Context,
  field: RowMutation,
  { values, selection, budget }: { values: Variables; selection: Selection; budget: ReadBudget },
): Promise<Json | null> {
  const args = readArguments(field, values)
  const { entity, returns } = field
  requireReadable(context.data.reach, { selections: [selection] }) // refused before the verb runs
  const answered = await inTransaction(context, async (inside) => {
    const read = (rowId: string) => readRow(inside.data, { entity, selection, id: rowId }, budget)
    const before = returns === 'before' ? await read(String(values['id'])) : null
    const id = await field.run(inside, args as never) // validated against the schemas of the arguments
    return returns === 'before' ? before : read(id)
  })
  return answered === null ? null : jsonOf(answered)
}

/** Runs a verb that returns the result itself. */
export function mutateObject(context: Context, field: ObjectMutation, values: Variables): Promise<object> {
  const args = readArguments(field, values)
  return inTransaction(context, (inside) => field.run(inside, args as never)) // validated against the schemas of the arguments
}

const readers = new WeakMap<TSchema, Reader<TSchema>>()

/** Validates the arguments against their schemas, like a REST body. @throws ServiceError `invalid` */
function readArguments({ args }: MutationField, values: Variables): Variables {
  const read = Object.entries(args).map(([name, schema]) => {
    let reader = readers.get(schema)
    if (reader === undefined) {
      reader = inputReader(schema)
      readers.set(schema, reader)
    }
    return [name, reader(values[name])] as const
  })
  return Object.fromEntries(read)
}
