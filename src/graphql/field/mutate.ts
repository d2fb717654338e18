import type { TSchema } from 'typebox'
import type { Context } from '../../context.ts'
import { inputReader, type Reader } from '../../input.ts'
import { inTransaction } from '../../transaction.ts'
import type { Root } from '../document/plan.ts'
import type { Variables } from '../document/variables.ts'
import type { MutationField } from './field.ts'
import { readRow } from './read.ts'

/** The verb and the row that is answered are one transaction. */
export function mutate(
  context: Context,
  { field, selection }: Extract<Root, { kind: 'mutation' }>,
  values: Variables,
): Promise<string | null> {
  const args = readArguments(field, values)
  const { entity, answers } = field
  return inTransaction(context, async (inside) => {
    const before =
      answers === 'before'
        ? await readRow(inside.data, { entity, selection, id: String(values['id']) })
        : null
    const id = await field.run(inside, args as never) // accepted by the schemas of the arguments
    return answers === 'before' ? before : readRow(inside.data, { entity, selection, id })
  })
}

const readers = new WeakMap<TSchema, Reader<TSchema>>()

/** Held to the rules of the shapes, as a body of REST is. @throws ServiceError `invalid` */
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
