/** The outcome of an operation: the body and the headers of its reply. */
import type { GraphQLError } from 'graphql'
import type { ReplyReservation } from '../../core/limits/reply-memory.ts'
import type { Root } from './document/plan.ts'
import { format } from './error.ts'
import { type Json, JsonWriter } from './json-writer.ts'

export interface OperationOutcome {
  /** The body of the reply. */
  json: Json
  isFaulty: boolean
  /** Reply headers with the caller's remaining budget. */
  headers: Readonly<Record<string, string>>
  /** The reservation of its memory, released when the body was sent or aborted; `null` for a small body. */
  reservation: ReplyReservation | null
}

export interface RootResult {
  root: Root
  /** The value of the field; `null` if the field failed. */
  json: Json | null
  isNullable: boolean
  error: GraphQLError | null
}

/** A failed non-null field makes `data` null (section 6.4.4). */
export function outcomeOf(results: readonly RootResult[]): Pick<OperationOutcome, 'json' | 'isFaulty'> {
  const errors = results.flatMap(({ error }) => error ?? [])
  const isNull = results.some(({ error, isNullable }) => error !== null && !isNullable)
  const body = new JsonWriter()
  body.add(errors.length === 0 ? '{' : `{"errors":${JSON.stringify(format(errors))},`)
  body.add(isNull ? '"data":null' : '"data":{')
  for (const [index, { root, json }] of isNull ? [] : results.entries()) {
    body.add(`${index === 0 ? '' : ','}"${root.as}":`)
    body.add(json ?? 'null')
  }
  body.add(isNull ? '}' : '}}')
  return { json: body.finish(), isFaulty: errors.length > 0 }
}
