/** The values of a read statement, by the names of their placeholders. */
import type { Value } from './read-model.ts'

/** A parameter of a statement: a value, a list of values, or NULL. */
export type Parameter = Value | readonly Value[] | null

/** The parameters of a statement by name: `v0`, `v1`, … and `limit`. */
export type StatementParameters = Record<string, Parameter>

/**
 * Gives the values of a request their names. Making the shape of a statement adds each part of the request that has
 * values; building the statement then asks for the name of a value of a part. So the order of the two need not
 * agree, and a part may be built several times, or into several statements.
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
