/** The values of a statement, by name. */
import type { Value } from './read-model.ts'

/** A parameter of a statement: a value, a list of values, or NULL. */
export type Parameter = Value | readonly Value[] | null

/** The parameters of a statement by name: `v0`, `v1`, … and `limit`. */
export type StatementParameters = Record<string, Parameter>

/**
 * Names the values of a request. The traversal of the request that determines the shape of its statement adds each part
 * that has values; whoever builds the statement asks for the value of a part. So the two need not agree on an order, and a
 * part may be built several times, or be built into several statements.
 */
export class StatementValues {
  readonly parameters: StatementParameters = {}
  readonly #firstOf = new Map<object, number>()
  #count = 0

  /** @param part of the request, such as a condition @param values of the part, in its own order */
  add(part: object, ...values: readonly Parameter[]): void {
    if (this.#firstOf.has(part)) return
    this.#firstOf.set(part, this.#count)
    for (const value of values) this.parameters[`v${this.#count++}`] = value
  }

  /** @throws Error for a part that was not added */
  nameOf(part: object, index: number): string {
    const first = this.#firstOf.get(part)
    if (first === undefined) throw new Error('A part of the statement has no value.')
    return `v${first + index}`
  }
}
